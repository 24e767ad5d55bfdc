/*
 * The fold of usage records into usage days, and its readers: shared/usage/usage-ledger.ts,
 * workers/usage/roll-up-usage.processor.ts and shared/usage/read-usage.ts.
 *
 * Roll-ups and a reader work on one scenario while records are inserted. A roll-up reads an old
 * ledger (one that a majority had once), old records and old documents. The primary can fail over
 * once, which undoes a ledger that no majority has. A process can end before every step: one that
 * has ended is one that makes no further step, and the properties hold in every state.
 *
 * Years and days are one kind of document here: both are immutable, have random ids, and a missing
 * one ends the roll-up or the read. The first record has usage of one day, the second one of both
 * days. A roll-up writes at most one document of a day, so its number and the day are the id.
 *
 * bound: 2 records, 3 roll-ups, 1 read, 1 failover
 *
 * mutation CONFIRM_SKIPPED: a roll-up does not confirm that its records are pending
 * mutation CAS_UNCONDITIONAL: the ledger is updated whatever its version is
 * mutation LEDGER_NOT_OF_MAJORITY: a roll-up reads a ledger that a failover can undo
 * mutation EMPTIED_BEFORE_LEDGER: records are emptied before the ledger lists them
 * mutation MERGED_NOT_EMPTIED: a roll-up does not empty the records that the version before merged
 * mutation MISSING_DOCUMENT_AS_EMPTY: a roll-up takes a missing document for an empty one
 * mutation LATER_DOCUMENTS_REMOVED: a roll-up removes what others write for the next version
 * mutation REPLACED_BEFORE_LEDGER: a roll-up removes the document that it is about to replace
 * mutation WINNERS_FORGOTTEN: the ledger lists the last roll-up only, and documents of all versions
 *   are removed
 * mutation LOST_REMOVED: a roll-up removes its documents after a compare-and-set that seems to have
 *   failed
 * mutation LATER_LISTS_EMPTIED: a roll-up empties the lists of a later version
 * mutation DOCUMENTS_OF_OTHERS_REMOVED: a roll-up that ends removes all documents for its version
 * mutation RECORD_REPEATED: a record that is inserted again is pending again
 * mutation MISSING_DOCUMENT_READ_AS_EMPTY: a reader takes a missing document for an empty one
 * mutation COVERED_COUNTED: a reader counts records that the ledger lists as merged
 * mutation LEDGER_NOT_COMPARED: a reader does not compare the ledger after its reads
 * mutation ONLY_VERSION_COMPARED: a reader compares the version, but not which roll-up set it
 */
#define RECORDS 2
#define DAYS 2
#define ROLL_UPS 3
#define NONE 7
#define bit(i) (1 << (i))
#define has(bits, i) (((bits) >> (i)) & 1)
/* The counts of a record in a day: of the first one, of the second one, and of it in the other day. */
#define COUNTS 3
#define recordOf(at) ((at) != 0)
#define dayOf(at) ((at) == 2)
#define daysOf(records) (has(records, 1) -> 3 : 1)

typedef Ledger {
  byte version;
  byte documents[DAYS] = NONE; /* what the years reach */
  byte covered;                /* records, as bits */
  byte replaced[DAYS] = NONE;
  byte winners                 /* roll-ups that set a version, as bits */
};

typedef Documents {
  byte days; /* as bits */
  byte forVersion;
  byte counts[COUNTS]
};

byte inserted, pending; /* records, as bits */
Documents written[ROLL_UPS];
Ledger primary, committed;
Ledger history[ROLL_UPS]; /* what a majority had, by version */
bool failedOver;
byte judged, count;
byte begun;

inline copy(from, to) {
  to.version = from.version;
  to.documents[0] = from.documents[0];
  to.documents[1] = from.documents[1];
  to.covered = from.covered;
  to.replaced[0] = from.replaced[0];
  to.replaced[1] = from.replaced[1];
  to.winners = from.winners
}

#define counts(ledger, r) (has(pending, r) && !has(ledger.covered, r))

inline countStored(ledger, at) {
  count = 0;
  if
  :: ledger.documents[dayOf(at)] != NONE -> count = written[ledger.documents[dayOf(at)]].counts[at]
  :: else
  fi
}

/* Whether the document that a ledger lists for a day exists, if it lists one. */
#define exists(ledger, day) (ledger.documents[day] == NONE || has(written[ledger.documents[day]].days, day))

/* Follows every change: what the ledgers reach exists, and each record counts once. */
inline judge() {
  atomic {
    assert(exists(primary, 0) && exists(primary, 1) && exists(committed, 0) && exists(committed, 1));
    for (judged : 0 .. COUNTS - 1) {
      countStored(primary, judged);
      assert(count + counts(primary, recordOf(judged)) == has(inserted, recordOf(judged)))
    }
    judged = 0;
    count = 0
  }
}

inline removeDocument(id, day) {
  written[id].days = written[id].days & ~bit(day)
}

active proctype Majority() {
end:
  do
  :: atomic { primary.winners != committed.winners || primary.covered != committed.covered ||
              primary.replaced[0] != committed.replaced[0] || primary.replaced[1] != committed.replaced[1] ->
       if
       :: primary.version < ROLL_UPS && primary.version != committed.version ->
            copy(primary, history[primary.version])
       :: else
       fi;
       copy(primary, committed)
     }
  :: atomic { !failedOver && primary.winners != committed.winners ->
       failedOver = true;
       copy(committed, primary);
       judge()
     }
  od
}

active proctype Ingest() {
  atomic { inserted = 1; pending = 1 };
  atomic { inserted = inserted | 2; pending = pending | 2 };
#ifdef RECORD_REPEATED
  atomic { pending = pending | 1; judge() }
#endif
}

active [ROLL_UPS] proctype RollUp() {
  byte self, r, chosen;
  bool isEnd;
  Ledger ledger;

  /* 1. The ledger, perhaps an old one. Roll-ups begin in their order, as all are alike. */
  atomic {
    _pid == 2 + begun;
    self = begun;
    begun++;
#ifdef LEDGER_NOT_OF_MAJORITY
    copy(primary, ledger)
#else
    if
    :: copy(committed, ledger)
    :: committed.version >= 1 -> copy(history[committed.version - 1], ledger)
    :: committed.version >= 2 -> copy(history[committed.version - 2], ledger)
    fi
#endif
  }
  /* 2. What the version before has merged and replaced, and what failed roll-ups have left. */
#ifndef MERGED_NOT_EMPTIED
  do
  :: atomic { has(ledger.covered, 0) -> pending = pending & ~1; ledger.covered = ledger.covered & ~1; judge() }
  :: atomic { has(ledger.covered, 1) -> pending = pending & ~2; ledger.covered = ledger.covered & ~2; judge() }
  :: ledger.covered == 0 -> break
  od;
#endif
  atomic {
    for (r : 0 .. DAYS - 1) {
      if
      :: ledger.replaced[r] != NONE -> removeDocument(ledger.replaced[r], r)
      :: else
      fi
    }
    r = 0;
    judge()
  }
  atomic {
    for (r : 0 .. ROLL_UPS - 1) {
      if
      :: !has(ledger.winners, r) &&
#ifdef LATER_DOCUMENTS_REMOVED
         written[r].forVersion <= ledger.version + 1 -> written[r].days = 0
#else
         written[r].forVersion <= ledger.version -> written[r].days = 0
#endif
      :: else
      fi
    }
    r = 0;
    judge()
  }
  atomic {
    if
#ifdef LATER_LISTS_EMPTIED
    :: true ->
#else
    :: primary.version == ledger.version ->
#endif
         primary.covered = 0;
         primary.replaced[0] = NONE;
         primary.replaced[1] = NONE;
         judge()
    :: else
    fi;
    ledger.covered = 0;
    ledger.replaced[0] = NONE;
    ledger.replaced[1] = NONE
  }
  /*
   * 3. Pending records: an old read shows one that is emptied, or does not show a new one. The
   * documents that are replaced: an old read shows one that is removed, or does not show a new one.
   */
  atomic {
    select(chosen : 1 .. bit(RECORDS) - 1);
    if
    :: (chosen & inserted) != chosen -> goto finished
    :: else
    fi;
    for (r : 0 .. DAYS - 1) {
      if
      :: !has(daysOf(chosen), r) || ledger.documents[r] == NONE
      :: has(daysOf(chosen), r) && ledger.documents[r] != NONE && r == 0 ->
           written[self].counts[0] = written[ledger.documents[r]].counts[0];
           written[self].counts[1] = written[ledger.documents[r]].counts[1]
      :: has(daysOf(chosen), r) && ledger.documents[r] != NONE && r == 1 ->
           written[self].counts[2] = written[ledger.documents[r]].counts[2]
#ifdef MISSING_DOCUMENT_AS_EMPTY
      :: has(daysOf(chosen), r) && ledger.documents[r] != NONE
#else
      :: has(daysOf(chosen), r) && ledger.documents[r] != NONE -> goto finished
#endif
      fi
    }
    for (r : 0 .. COUNTS - 1) { written[self].counts[r] = written[self].counts[r] + has(chosen, recordOf(r)) }
    r = 0;
    written[self].days = daysOf(chosen);
    written[self].forVersion = ledger.version + 1
  }
  /* 4. The primary confirms each record. */
#ifndef CONFIRM_SKIPPED
  do
  :: atomic { r < RECORDS -> isEnd = isEnd || (has(chosen, r) && !has(pending, r)); r++ }
  :: atomic { r == RECORDS -> r = 0; break }
  od;
  if
#ifdef DOCUMENTS_OF_OTHERS_REMOVED
  :: atomic { isEnd ->
       for (r : 0 .. ROLL_UPS - 1) {
         if
         :: written[r].forVersion == ledger.version + 1 -> written[r].days = 0
         :: else
         fi
       }
       judge();
       goto finished
     }
#else
  :: atomic { isEnd -> written[self].days = 0; goto finished }
#endif
  :: else
  fi;
#endif
#ifdef EMPTIED_BEFORE_LEDGER
  atomic { pending = pending & ~chosen; judge() };
#endif
#ifdef REPLACED_BEFORE_LEDGER
  atomic {
    for (r : 0 .. DAYS - 1) {
      if
      :: has(daysOf(chosen), r) && ledger.documents[r] != NONE -> removeDocument(ledger.documents[r], r)
      :: else
      fi
    }
    r = 0;
    judge()
  }
#endif
  /* 5. The compare-and-set. */
  atomic {
    if
#ifdef CAS_UNCONDITIONAL
    :: true ->
#else
    :: primary.version == ledger.version ->
#endif
         primary.version = ledger.version + 1;
         for (r : 0 .. DAYS - 1) {
           if
           :: has(daysOf(chosen), r) -> primary.replaced[r] = ledger.documents[r]; primary.documents[r] = self
           :: else -> primary.replaced[r] = NONE; primary.documents[r] = ledger.documents[r]
           fi
         }
         primary.covered = chosen;
#ifdef WINNERS_FORGOTTEN
         primary.winners = bit(self);
#else
         primary.winners = ledger.winners | bit(self);
#endif
         judge()
    :: else
    fi;
#ifdef LOST_REMOVED
    /* The driver has repeated it after a lost reply, and sees the version that it has set. */
    written[self].days = 0;
    judge();
#endif
finished:
    self = 0;
    r = 0;
    chosen = 0;
    isEnd = false;
    ledger.version = 0;
    ledger.documents[0] = 0;
    ledger.documents[1] = 0;
    ledger.covered = 0;
    ledger.replaced[0] = 0;
    ledger.replaced[1] = 0;
    ledger.winners = 0
  }
}

active proctype Reader() {
  byte r, seen, acknowledged;
  bool isSame;
  Ledger ledger;

  atomic { acknowledged = inserted; copy(primary, ledger) }
  do
#ifdef COVERED_COUNTED
  :: atomic { r < RECORDS -> seen = seen | (pending & bit(r)); r++ }
#else
  :: atomic { r < RECORDS -> seen = seen | (pending & bit(r) & ~ledger.covered); r++ }
#endif
  :: atomic { r == RECORDS -> break }
  od;
#ifdef LEDGER_NOT_COMPARED
  isSame = true;
#else
#ifdef ONLY_VERSION_COMPARED
  isSame = primary.version == ledger.version;
#else
  isSame = primary.version == ledger.version && primary.winners == ledger.winners;
#endif
#endif
  /* A ledger that has changed, or a missing document, begins the read again. */
  atomic {
    if
#ifdef MISSING_DOCUMENT_READ_AS_EMPTY
    :: isSame ->
#else
    :: isSame && exists(ledger, 0) && exists(ledger, 1) ->
#endif
         for (r : 0 .. COUNTS - 1) {
           countStored(ledger, r);
           count = (exists(ledger, dayOf(r)) -> count : 0);
           assert(count + has(seen, recordOf(r)) <= 1);
           assert(count + has(seen, recordOf(r)) == 1 || !has(acknowledged, recordOf(r)))
         }
    :: else
    fi;
    count = 0;
    r = 0;
    seen = 0;
    acknowledged = 0;
    isSame = false;
    copy(history[0], ledger)
  }
}
