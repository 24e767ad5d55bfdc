/*
 * The way of an event to its audit record: shared/audit/audit-outbox.ts, audit-chain.ts and
 * api/audit/audit-trail.ts.
 *
 * Changes of a row write their events into the row, and an operation without a row has an intent.
 * Two appenders move events to the chain. The primary can fail over once, which undoes what no
 * majority has. A process can end before every step: one that has ended is one that makes no
 * further step. In every state, each change has its event in the row, an intent, or one record; each
 * record of a row has its change; the chain is whole; the records of a row are in the order of its
 * changes; and the record of an operation says how its intent was closed: by the operation, or as
 * abandoned, which can happen at any time.
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
 * mutation INTENT_NOT_AWAITED: the change is made before a majority has the intent
 * mutation INTENTS_NOT_OF_MAJORITY: a closed intent is appended whose closing a failover can undo
 * mutation CLOSED_AGAIN: an intent that is closed as abandoned is closed again by its operation
 * mutation NOT_IN_ORDER: records are inserted although the one before them was refused
 * mutation NEWEST_FIRST: the events of a row are appended in the opposite order
 */
/* The events 0 and 1 are of the row, 2 and 3 of the operation: it has ended, or is abandoned. */
#define OF_OPERATION 12 /* as bits */
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
byte judged, hash, recorded, count;

/* The content of a chain determines its hashes. */
#define hashAfter(previousHash, event) ((previousHash) * 5 + (event))

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
  assert((primary.changed & 3 & ~(recorded | primary.waiting)) == 0);
  assert((recorded & 3 & ~primary.changed) == 0);
  assert(!has(primary.changed, 2) || primary.isOpen || ((recorded | primary.waiting) & OF_OPERATION) != 0);
  assert(((recorded | primary.waiting) & OF_OPERATION) != OF_OPERATION);
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
  :: atomic { primary.isOpen ->
       primary.isOpen = false;
       primary.waiting = primary.waiting | 8;
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
#ifndef INTENT_NOT_AWAITED
  awaitMajority();
#endif
#endif
  if
  :: atomic { primary.changed = primary.changed | 4; judge() }
#ifdef INTENT_AFTER_CHANGE
     atomic { primary.isOpen = true };
#endif
     atomic {
       if
       :: primary.isOpen -> primary.isOpen = false; primary.waiting = primary.waiting | 4; judge()
#ifdef CLOSED_AGAIN
       :: has(primary.waiting, 3) -> primary.waiting = (primary.waiting & ~8) | 4; judge()
#endif
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
  skip
}

/* The events of the operation have one id. */
#define sameId(event) ((event) < 2 -> bit(event) : OF_OPERATION)

/* The unique indexes. */
#ifdef SEQ_NOT_UNIQUE
#define isTaken(seq) ((seq) >= RECORDS)
#else
#define isTaken(seq) ((seq) >= RECORDS || primary.events[seq] != 0)
#endif
#ifdef ID_NOT_UNIQUE
#define isRecorded(event) false
#else
#define isStoredAt(seq, event) (primary.events[seq] != 0 && has(sameId(event), primary.events[seq] - 1))
#define isRecorded(event) (isStoredAt(0, event) || isStoredAt(1, event) || isStoredAt(2, event))
#endif

#define known ((majority.waiting & 3) | (primary.waiting & OF_OPERATION))

active [2] proctype Appender() {
  byte found, missing, seq, previousHash, event;

again:
#ifdef EVENTS_NOT_OF_MAJORITY
  atomic { primary.waiting != 0 -> found = primary.waiting };
#else
#ifdef INTENTS_NOT_OF_MAJORITY
  atomic { known != 0 -> found = known };
#else
  atomic { majority.waiting != 0 -> found = majority.waiting };
#endif
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
      :: primary.events[event] != 0 -> missing = missing & ~sameId(primary.events[event] - 1)
#else
      :: majority.events[event] != 0 -> missing = missing & ~sameId(majority.events[event] - 1)
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
       event = (has(missing, 1) -> 1 : (has(missing, 0) -> 0 : (has(missing, 2) -> 2 : 3)));
#else
       event = (has(missing, 0) -> 0 : (has(missing, 1) -> 1 : (has(missing, 2) -> 2 : 3)));
#endif
       if
       /* A command does not go on after a failover. */
       :: has(failed, _pid) -> missing = 0; event = 0; break
       :: !has(failed, _pid) && (isTaken(seq) || isRecorded(event)) ->
#ifdef NOT_IN_ORDER
            missing = missing & ~bit(event);
            seq++;
            event = 0
#else
            missing = 0;
            seq = 0;
            previousHash = 0;
            event = 0;
            goto retry
#endif
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
    if
    :: (found & OF_OPERATION) != 0 ->
         primary.waiting = primary.waiting & ~OF_OPERATION;
         primary.isOpen = false
    :: else
    fi;
#endif
    judge();
    found = 0;
    seq = 0;
    previousHash = 0;
    goto again
  }
}
