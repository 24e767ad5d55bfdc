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
 * one ends the roll-up or the read. Each roll-up writes one document, so its number is the id.
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
 * mutation COVERED_COUNTED: a reader counts records that the ledger lists as merged
 * mutation LEDGER_NOT_COMPARED: a reader does not compare the ledger after its reads
 * mutation ONLY_VERSION_COMPARED: a reader compares the version, but not which roll-up set it
 */
#define RECORDS 2
#define ROLL_UPS 3
#define NONE 7
#define bit(i) (1 << (i))
#define has(bits, i) (((bits) >> (i)) & 1)

typedef Ledger {
  byte version;
  byte document = NONE; /* what the years reach */
  byte covered;         /* records, as bits */
  byte replaced = NONE;
  byte winners          /* roll-ups that set a version, as bits */
};

typedef Document {
  bool exists;
  byte forVersion;
  byte counts[RECORDS]
};

byte inserted, pending; /* records, as bits */
Document documents[ROLL_UPS];
Ledger primary, committed;
Ledger history[ROLL_UPS]; /* what a majority had, by version */
bool failedOver;
byte judged, count;
byte begun;

inline copy(from, to) {
  to.version = from.version;
  to.document = from.document;
  to.covered = from.covered;
  to.replaced = from.replaced;
  to.winners = from.winners
}

#define counts(ledger, r) (has(pending, r) && !has(ledger.covered, r))

inline countStored(ledger, r) {
  count = 0;
  if
  :: ledger.document != NONE -> count = documents[ledger.document].counts[r]
  :: else
  fi
}

/* Follows every change: what the ledgers reach exists, and each record counts once. */
inline judge() {
  atomic {
    if
    :: primary.document != NONE -> assert(documents[primary.document].exists)
    :: else
    fi;
    if
    :: committed.document != NONE -> assert(documents[committed.document].exists)
    :: else
    fi;
    for (judged : 0 .. RECORDS - 1) {
      countStored(primary, judged);
      assert(count + counts(primary, judged) == has(inserted, judged))
    }
    judged = 0;
    count = 0
  }
}

inline removeDocument(id) {
  documents[id].exists = false
}

active proctype Majority() {
end:
  do
  :: atomic { primary.winners != committed.winners || primary.covered != committed.covered ||
              primary.replaced != committed.replaced ->
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
  atomic { inserted = inserted | 2; pending = pending | 2 }
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
    if
    :: ledger.replaced != NONE -> removeDocument(ledger.replaced); judge()
    :: else
    fi
  }
  atomic {
    for (r : 0 .. ROLL_UPS - 1) {
      if
      :: documents[r].exists && !has(ledger.winners, r) &&
#ifdef LATER_DOCUMENTS_REMOVED
         documents[r].forVersion <= ledger.version + 1 -> removeDocument(r)
#else
         documents[r].forVersion <= ledger.version -> removeDocument(r)
#endif
      :: else
      fi
    }
    r = 0;
    judge()
  }
  atomic {
    if
    :: primary.version == ledger.version -> primary.covered = 0; primary.replaced = NONE; judge()
    :: else
    fi;
    ledger.covered = 0;
    ledger.replaced = NONE
  }
  /*
   * 3. Pending records: an old read shows one that is emptied, or does not show a new one. The
   * document that is replaced: an old read shows one that is removed, or does not show a new one.
   */
  atomic {
    select(chosen : 1 .. bit(RECORDS) - 1);
    if
    :: (chosen & inserted) != chosen -> goto finished
    :: else
    fi;
    if
    :: ledger.document == NONE
    :: ledger.document != NONE ->
         for (r : 0 .. RECORDS - 1) { documents[self].counts[r] = documents[ledger.document].counts[r] }
#ifdef MISSING_DOCUMENT_AS_EMPTY
    :: ledger.document != NONE
#else
    :: ledger.document != NONE -> goto finished
#endif
    fi;
    for (r : 0 .. RECORDS - 1) { documents[self].counts[r] = documents[self].counts[r] + has(chosen, r) }
    r = 0;
    documents[self].exists = true;
    documents[self].forVersion = ledger.version + 1
  }
  /* 4. The primary confirms each record. */
#ifndef CONFIRM_SKIPPED
  do
  :: atomic { r < RECORDS -> isEnd = isEnd || (has(chosen, r) && !has(pending, r)); r++ }
  :: atomic { r == RECORDS -> r = 0; break }
  od;
  if
  :: atomic { isEnd -> removeDocument(self); goto finished }
  :: else
  fi;
#endif
#ifdef EMPTIED_BEFORE_LEDGER
  atomic { pending = pending & ~chosen; judge() };
#endif
#ifdef REPLACED_BEFORE_LEDGER
  atomic {
    if
    :: ledger.document != NONE -> removeDocument(ledger.document); judge()
    :: else
    fi
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
         primary.replaced = ledger.document;
         primary.document = self;
         primary.covered = chosen;
         primary.winners = ledger.winners | bit(self);
         judge()
    :: else
    fi;
finished:
    self = 0;
    r = 0;
    chosen = 0;
    isEnd = false;
    ledger.version = 0;
    ledger.document = 0;
    ledger.covered = 0;
    ledger.replaced = 0;
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
    :: isSame && (ledger.document == NONE || documents[ledger.document].exists) ->
         for (r : 0 .. RECORDS - 1) {
           countStored(ledger, r);
           assert(count + has(seen, r) <= 1);
           assert(count + has(seen, r) == 1 || !has(acknowledged, r))
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
