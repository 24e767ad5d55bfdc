/*
 * Requests with one idempotency key: api/http/idempotency-store.ts and idempotency-key.ts.
 *
 * Every request claims the key, makes its change, and stores its response. The lock of an attempt
 * can expire at any time, also while it goes on, which renews it late, and replies of the database
 * can be lost. An insert whose reply was lost can be undone by a failover until a majority of the
 * replica set has it. The record can expire once, and what an operation has made can be removed by
 * somebody else. A process can end before every step: one that has ended is one that makes no
 * further step.
 *
 * In the lifetime of the key, one operation is in effect at most, and none that was removed. One
 * attempt at most has the lock, until it has expired, and none has it after a response. A response
 * is sent to its own request, and not after its record has expired.
 *
 * bound: 3 requests, one of them with another body, 4 operations and attempts, 1 expiry, 1 removal
 *
 * mutation CLAIM_BY_READ: a request looks for the record, and then inserts one over any other
 * mutation LOST_REPLY_AS_CLAIM: a lost reply to the insert counts as a claim
 * mutation READ_OF_PRIMARY: a record is read before a majority has it
 * mutation OPERATION_PER_ATTEMPT: an attempt that takes the lock begins an operation of its own
 * mutation FAILED_RELEASED: a failed request (5xx) releases the key
 * mutation CONTINUED_RELEASED: a refused request (4xx) releases the key of an operation that an
 *   earlier attempt may have carried out
 * mutation ANY_ATTEMPT_RELEASES: a request releases the key of another attempt
 * mutation ANY_ATTEMPT_RESPONDS: a request stores its response in the record of another attempt
 * mutation ANY_OPERATION_DISCARDED: a request discards the response of another operation
 * mutation ANY_RECORD_EXPIRED: a request removes an expired record without comparing its date
 * mutation BODY_NOT_COMPARED: a request with another body receives the response
 * mutation LOCK_NOT_COMPARED: an attempt takes a lock that has not expired
 * mutation RESPONSE_NOT_COMPARED: an attempt takes the lock of one that has responded meanwhile
 * mutation RECORD_NOT_COMPARED: an attempt takes the lock of a record that it has not read
 * mutation LOST_REPLY_AS_LOCK: a lost reply to the lock counts as a lock
 * mutation ANY_ATTEMPT_UNLOCKS: a failed request ends the lock of another attempt
 * mutation EXPIRED_SENT: the response of an expired record is sent
 * mutation RESPONSE_OF_ATTEMPT: a response is stored as that of the attempt, not of its operation
 * mutation REMOVED_MADE_AGAIN: an attempt makes again what has been removed
 */
#define REQUESTS 3
#define NUMBERS 4
#define bit(i) (1 << (i))
#define has(bits, i) (((bits) >> (i)) & 1)

typedef Record {
  bool exists;
  bool isOfMajority;
  bool isExpired;
  bool isLocked;
  byte body;
  byte operation; /* 1 to NUMBERS */
  byte attempt;   /* 0: none holds it */
  byte response   /* the operation that the stored response is of, 0: none */
};

Record record;
byte started;        /* requests with the same body */
byte begun;          /* operations and attempts have numbers of one sequence */
byte bodyOf[NUMBERS + 1];
byte done, removed;  /* operations in effect, and those whose effect was removed, as bits */
byte earlier;        /* operations of the time before the expiry, as bits */
bool hasExpired;
byte holder;         /* the attempt whose lock has not expired, 0: none */
byte running;        /* attempts in progress, as bits */
byte responded;      /* operations whose response was stored, as bits */

/* A read sees only what no failover can undo. */
#ifdef READ_OF_PRIMARY
#define isVisible record.exists
#else
#define isVisible (record.exists && record.isOfMajority)
#endif

/* The key is carried out once in its lifetime. */
#define current (done & ~earlier)
inline judge() {
  assert((current & (current - 1)) == 0);
  assert((done & removed) == 0)
}

inline lock() {
  assert(holder == 0 && !has(responded, operation));
  record.isLocked = true;
  record.attempt = own;
  hasLocked = true;
  running = running | bit(own);
  holder = own
}

inline endLock() {
  running = running & ~bit(own);
  if
  :: holder == own -> holder = 0
  :: else
  fi
}

inline clearRecord() {
  record.exists = false;
  record.isOfMajority = false;
  record.isExpired = false;
  record.isLocked = false;
  record.body = 0;
  record.operation = 0;
  record.attempt = 0;
  record.response = 0
}

active proctype World() {
end:
  do
  :: atomic { record.exists && !record.isOfMajority -> record.isOfMajority = true }
  /* A failover. */
  :: atomic { record.exists && !record.isOfMajority -> clearRecord(); holder = 0 }
  :: atomic { record.exists && record.isLocked -> record.isLocked = false; holder = 0 }
  /* A process that was frozen renews its lock, as long as it is that of the record. */
  :: atomic { record.exists && !record.isLocked && has(running, record.attempt) ->
       record.isLocked = true;
       holder = record.attempt
     }
  :: atomic { record.exists && !record.isExpired && !hasExpired ->
       record.isExpired = true;
       hasExpired = true;
       holder = 0;
       earlier = bit(begun + 1) - 1
     }
  /* What was removed stays as a deleted row, so that no attempt makes it again. */
  :: atomic { removed == 0 && record.response != 0 && has(done, record.response) ->
       removed = bit(record.response);
       done = done & ~removed
     }
  od
}

active [REQUESTS] proctype Request() {
  byte body, own, operation, knownAttempt;
  bool attemptedBefore, hasLocked;

  /* Requests with the same body begin in their order, as they are alike. */
  atomic { _pid == REQUESTS || _pid == 1 + started -> body = _pid == REQUESTS; started = started + 1 - body }
again:
#ifdef CLAIM_BY_READ
  if
  :: record.exists -> goto read
  :: else
  fi;
#endif
  /* The insert. Neither the command nor the reply has to arrive. */
  atomic {
    if
#ifdef CLAIM_BY_READ
    :: begun < NUMBERS ->
#else
    :: !record.exists && begun < NUMBERS ->
#endif
         clearRecord();
         begun++;
         own = begun;
         record.exists = true;
         record.body = body;
         record.operation = own;
         bodyOf[own] = body;
         operation = own;
         lock();
         if
         :: record.isOfMajority = true; goto attempt
         :: skip
         fi
#ifdef LOST_REPLY_AS_CLAIM
    :: begun < NUMBERS -> begun++; own = begun; bodyOf[own] = body; operation = own; goto attempt
#endif
    :: true
    fi
  }
read:
  atomic {
    if
    :: !isVisible && begun == NUMBERS -> goto stop
    :: !isVisible && begun < NUMBERS -> own = 0; operation = 0; goto again
    :: isVisible && own != 0 && record.operation == own -> goto attempt
    :: else
    fi;
    own = 0;
    operation = record.operation;
    if
#ifdef EXPIRED_SENT
    :: record.isExpired && record.response == 0 -> goto expired
#else
    :: record.isExpired -> goto expired
#endif
    :: else
    fi;
#ifndef BODY_NOT_COMPARED
    if
    :: record.body != body -> goto stop
    :: else
    fi;
#endif
    if
    :: record.response != 0 && has(removed, record.response) -> goto discarded
    /* The response is sent again. */
    :: record.response != 0 && !has(removed, record.response) ->
         assert(record.response == record.operation);
         assert(bodyOf[record.response] == body);
         assert(has(done, record.response));
         assert(!has(earlier, record.response));
         goto stop
    :: record.response == 0 && record.isLocked -> goto stop
    :: record.response == 0 && !record.isLocked -> knownAttempt = record.attempt; goto unlocked
    fi
  }
expired:
  atomic {
    if
#ifdef ANY_RECORD_EXPIRED
    :: record.exists -> clearRecord()
#else
    :: record.operation == operation && record.isExpired -> clearRecord(); holder = 0
#endif
    :: else
    fi;
    operation = 0;
    goto again
  }
discarded:
  atomic {
    if
#ifdef ANY_OPERATION_DISCARDED
    :: record.exists -> clearRecord()
#else
    :: record.operation == operation -> clearRecord()
#endif
    :: else
    fi;
    operation = 0;
    goto again
  }
unlocked:
  /* The lock, under the condition that the record is as it was read. Its reply can be lost. */
  atomic {
    if
    :: record.exists &&
#ifndef RECORD_NOT_COMPARED
       record.operation == operation &&
#endif
#ifndef LOCK_NOT_COMPARED
       record.attempt == knownAttempt && !record.isLocked &&
#endif
#ifndef RESPONSE_NOT_COMPARED
       record.response == 0 &&
#endif
       begun < NUMBERS ->
         begun++;
         own = begun;
         bodyOf[own] = body;
         lock();
#ifdef OPERATION_PER_ATTEMPT
         record.operation = own;
         operation = own;
#endif
         knownAttempt = 0;
         attemptedBefore = true;
         if
         :: goto attempt
         :: skip
         fi
    /* The command does not arrive. */
    :: begun < NUMBERS -> begun++; own = begun; knownAttempt = 0; attemptedBefore = true
    :: else -> knownAttempt = 0; operation = 0; goto again
    fi
  }
  atomic {
    if
#ifdef LOST_REPLY_AS_LOCK
    :: true
#else
    :: record.attempt == own
    :: else -> attemptedBefore = false; hasLocked = false; own = 0; operation = 0; goto again
#endif
    fi
  }
attempt:
  assert(hasLocked);
  /* Refused: this attempt has stored nothing. */
  if
  :: goto refused
  :: skip
  :: goto failed
  fi;
  atomic {
    if
#ifdef REMOVED_MADE_AGAIN
    :: true -> done = done | bit(operation); judge()
#else
    :: !has(removed, operation) -> done = done | bit(operation); judge()
#endif
    :: else
    fi
  }
  if
  :: goto failed
  :: skip
  fi;
  atomic {
    if
#ifdef ANY_ATTEMPT_RESPONDS
    :: record.exists ->
#else
    :: record.exists && record.attempt == own ->
#endif
#ifdef RESPONSE_OF_ATTEMPT
         record.response = own;
#else
         record.response = operation;
#endif
         assert(record.response == record.operation);
         responded = responded | bit(operation)
    :: else
    fi;
    endLock();
    goto stop
  }
refused:
#ifdef CONTINUED_RELEASED
  atomic {
#else
  if
  :: attemptedBefore -> goto failed
  :: else
  fi;
  atomic {
#endif
    if
#ifdef ANY_ATTEMPT_RELEASES
    :: record.exists -> clearRecord()
#else
    :: record.exists && record.attempt == own -> clearRecord()
#endif
    :: else
    fi;
    endLock();
    goto stop
  }
failed:
  atomic {
    if
#ifdef FAILED_RELEASED
    :: record.exists && record.attempt == own -> clearRecord()
#else
#ifdef ANY_ATTEMPT_UNLOCKS
    :: record.exists -> record.isLocked = false; record.attempt = 0
#else
    :: record.exists && record.attempt == own -> record.isLocked = false; record.attempt = 0
#endif
#endif
    :: else
    fi;
    endLock()
  }
stop:
  atomic {
    own = 0;
    operation = 0;
    knownAttempt = 0;
    attemptedBefore = false;
    hasLocked = false
  }
}
