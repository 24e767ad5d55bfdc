/*
 * The way of an event to its audit record: shared/audit/audit-outbox.ts, audit-chain.ts and
 * api/audit/audit-trail.ts.
 *
 * Changes of a row write their events into the row, and an operation without a row has an intent.
 * Two appenders move events to the chain. The primary can fail over once, which undoes what no
 * majority has. A process can end before every step: one that has ended is one that makes no
 * further step. In every state, each change has its event in the row, an intent, or one record; each
 * record of a row has its change; the chain is whole; and the records of a row are in the order of
 * its changes.
 *
 * The end of the chain that is noted in Redis and in the log is not in the model.
 *
 * bound: 2 changes of a row, 1 operation with an intent, 2 appenders, 1 failover
 *
 * mutation EVENT_AFTER_CHANGE: the event is written by an update after the change
 * mutation INTENT_AFTER_CHANGE: the intent is written after the change
 * mutation DISCARDED_IF_UNKNOWN: the intent of an operation with an unknown outcome is discarded
 * mutation EVENTS_NOT_OF_MAJORITY: events are appended that a failover can undo
 * mutation WRITTEN_NOT_OF_MAJORITY: a record that a failover can undo counts as written
 * mutation HEAD_NOT_OF_MAJORITY: a record follows one that a failover can undo
 * mutation ACKNOWLEDGEMENT_NOT_AWAITED: events are removed before a majority has their records
 * mutation REMOVED_BEFORE_RECORD: events are removed before their records are written
 * mutation ALL_EVENTS_REMOVED: all events of the row are removed, not those that were read
 * mutation SEQ_NOT_UNIQUE: two records can have the same number
 * mutation ID_NOT_UNIQUE: an event can have two records
 * mutation NEWEST_FIRST: the events of a row are appended in the opposite order
 */
#define EVENTS 3 /* 0 and 1 are of the row, 2 is of the operation */
#define RECORDS 3
#define bit(i) (1 << (i))
#define has(bits, i) (((bits) >> (i)) & 1)

typedef Database {
  byte changed;             /* changes in effect, as bits */
  byte waiting;             /* events that wait in the row or as a closed intent, as bits */
  bool isOpen;              /* whether there is an open intent */
  byte length;              /* of the chain */
  byte events[RECORDS];     /* 1 more than the event */
  byte previous[RECORDS]    /* hash of the record before */
};

Database primary, majority;
bool failedOver;
byte unacknowledged, failed; /* processes with a write, as bits */
bool isInFlight;             /* whether the database can still make the change of the operation */
bool hasEnded;               /* whether the operation goes on no longer */
byte judged, hash, recorded, count;

/* The content of a chain determines its hashes. */
#define hashAfter(previousHash, event) ((previousHash) * 4 + (event))

inline copy(from, to) {
  to.changed = from.changed;
  to.waiting = from.waiting;
  to.isOpen = from.isOpen;
  to.length = from.length;
  for (judged : 0 .. RECORDS - 1) {
    to.events[judged] = from.events[judged];
    to.previous[judged] = from.previous[judged]
  }
  judged = 0
}

inline judge() {
  for (judged : 0 .. RECORDS - 1) {
    if
    :: primary.events[judged] != 0 ->
         assert(primary.previous[judged] == hash);
         assert(!has(recorded, primary.events[judged] - 1));
         assert(primary.events[judged] != 1 || !has(recorded, 1));
         assert(judged == count);
         hash = hashAfter(hash, primary.events[judged]);
         recorded = recorded | bit(primary.events[judged] - 1);
         count++
    :: else
    fi
  }
  assert((primary.changed & ~(recorded | primary.waiting | (primary.isOpen -> 4 : 0))) == 0);
  assert((recorded & 3 & ~primary.changed) == 0);
  judged = 0;
  hash = 0;
  recorded = 0;
  count = 0
}

active proctype Majority() {
end:
  do
  :: atomic { unacknowledged != 0 -> copy(primary, majority); unacknowledged = 0 }
  :: atomic { !failedOver ->
       failedOver = true;
       copy(majority, primary);
       failed = unacknowledged;
       unacknowledged = 0;
       judge()
     }
  :: atomic { isInFlight -> isInFlight = false; primary.changed = primary.changed | 4; judge() }
  :: atomic { isInFlight -> isInFlight = false }
  /* An abandoned intent is closed. */
  :: atomic { hasEnded && !isInFlight && primary.isOpen ->
       primary.isOpen = false;
       primary.waiting = primary.waiting | 4;
       judge()
     }
  od
}

inline awaitMajority() {
  atomic {
    !has(unacknowledged, _pid) ->
    if
    :: has(failed, _pid) -> goto stop
    :: else
    fi
  }
}

active proctype Changes() {
  byte event;

  do
  :: event < 2 ->
#ifdef EVENT_AFTER_CHANGE
       atomic { primary.changed = primary.changed | bit(event) };
       atomic { primary.waiting = primary.waiting | bit(event) };
#else
       atomic {
         primary.changed = primary.changed | bit(event);
         primary.waiting = primary.waiting | bit(event);
         unacknowledged = unacknowledged | bit(_pid);
         judge()
       }
#endif
       atomic { !has(unacknowledged, _pid) -> failed = failed & ~bit(_pid); event++ }
  :: else -> break
  od;
  event = 0
}

active proctype OperationWithIntent() {
#ifndef INTENT_AFTER_CHANGE
  atomic { primary.isOpen = true; unacknowledged = unacknowledged | bit(_pid) };
  awaitMajority();
#endif
  if
  :: atomic { primary.changed = primary.changed | 4; judge() }
#ifdef INTENT_AFTER_CHANGE
     atomic { primary.isOpen = true };
#endif
     atomic {
       if
       :: primary.isOpen -> primary.isOpen = false; primary.waiting = primary.waiting | 4; judge()
       :: else
       fi
     }
  /* Refused. */
  :: atomic { primary.isOpen = false; judge() }
  /* The outcome is unknown. */
  :: isInFlight = true;
#ifdef DISCARDED_IF_UNKNOWN
     atomic { primary.isOpen = false; judge() }
#endif
  fi;
stop:
  hasEnded = true
}

/* The unique indexes. */
#ifdef SEQ_NOT_UNIQUE
#define isTaken(seq) ((seq) >= RECORDS)
#else
#define isTaken(seq) ((seq) >= RECORDS || primary.events[seq] != 0)
#endif
#ifdef ID_NOT_UNIQUE
#define isRecorded(event) false
#else
#define isRecorded(event) (primary.events[0] == (event) + 1 || primary.events[1] == (event) + 1 || primary.events[2] == (event) + 1)
#endif

active [2] proctype Appender() {
  byte found, missing, seq, previousHash, event;

again:
#ifdef EVENTS_NOT_OF_MAJORITY
  atomic { primary.waiting != 0 -> found = primary.waiting };
#else
  atomic { majority.waiting != 0 -> found = majority.waiting };
#endif
#ifdef REMOVED_BEFORE_RECORD
  atomic { primary.waiting = primary.waiting & ~found; judge() };
#endif
retry:
  atomic {
    missing = found;
    for (event : 0 .. RECORDS - 1) {
      if
#ifdef WRITTEN_NOT_OF_MAJORITY
      :: primary.events[event] != 0 -> missing = missing & ~bit(primary.events[event] - 1)
#else
      :: majority.events[event] != 0 -> missing = missing & ~bit(majority.events[event] - 1)
#endif
      :: else
      fi
    }
    event = 0;
    if
    :: missing == 0 -> goto written
    :: else
    fi
  }
  atomic {
#ifdef HEAD_NOT_OF_MAJORITY
    seq = primary.length;
    for (event : 0 .. RECORDS - 1) {
      if
      :: primary.events[event] != 0 -> previousHash = hashAfter(previousHash, primary.events[event])
#else
    seq = majority.length;
    for (event : 0 .. RECORDS - 1) {
      if
      :: majority.events[event] != 0 -> previousHash = hashAfter(previousHash, majority.events[event])
#endif
      :: else
      fi
    }
    event = 0
  }
  do
  :: atomic { missing != 0 ->
#ifdef NEWEST_FIRST
       event = (has(missing, 1) -> 1 : (has(missing, 0) -> 0 : 2));
#else
       event = (has(missing, 0) -> 0 : (has(missing, 1) -> 1 : 2));
#endif
       if
       /* A command does not go on after a failover. */
       :: has(failed, _pid) -> missing = 0; event = 0; break
       :: !has(failed, _pid) && (isTaken(seq) || isRecorded(event)) ->
            missing = 0;
            seq = 0;
            previousHash = 0;
            event = 0;
            goto retry
       :: else ->
            primary.events[seq] = event + 1;
            primary.previous[seq] = previousHash;
            primary.length = seq + 1;
            previousHash = hashAfter(previousHash, event + 1);
            missing = missing & ~bit(event);
            seq++;
            event = 0;
            unacknowledged = unacknowledged | bit(_pid);
            judge()
       fi
     }
  :: missing == 0 -> break
  od;
#ifndef ACKNOWLEDGEMENT_NOT_AWAITED
  atomic {
    !has(unacknowledged, _pid) ->
    if
    :: has(failed, _pid) ->
         failed = failed & ~bit(_pid);
         found = 0;
         seq = 0;
         previousHash = 0;
         goto again
    :: else
    fi
  }
#endif
written:
  atomic {
#ifdef ALL_EVENTS_REMOVED
    primary.waiting = 0;
#else
    primary.waiting = primary.waiting & ~found;
#endif
    judge();
    found = 0;
    seq = 0;
    previousHash = 0;
    goto again
  }
}
