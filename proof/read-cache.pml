/*
 * Cached reads and writes that invalidate them: shared/connections/read-cache.ts.
 *
 * Two processes read, and the second one writes. Each has a connection to Redis. Redis can fail
 * over once, which brings any earlier state back and ends every connection; a command that is in
 * flight then is sent over the next connection. The registration of a write can fail. The writer
 * can end before every step, and the database can make a change after the writer has got an error.
 *
 * Two promises: a read never returns what was replaced by a write that had returned before the read
 * began. And as long as every registration reaches Redis and stays there, it never returns less
 * than an earlier read. The removal after a write reaches Redis: where it does not, the cache
 * promises less (see ReadCache).
 *
 * bound: 2 processes, 3 reads, 1 write, 1 failover of Redis
 *
 * mutation GENERATION_AFTER_READ: a reader determines the generation after it reads the database
 * mutation GENERATION_REPEATS: generations do not differ
 * mutation ENTRY_OF_ANY_GENERATION: an entry is served in every generation
 * mutation NOT_REGISTERED: a write does not register itself
 * mutation NOT_REMOVED_BEFORE: a write does not remove the generation before the change
 * mutation NOT_REMOVED_AFTER: a write does not remove the generation after the change
 * mutation SERVED_DURING_WRITES: entries are served and stored while a write is registered
 * mutation UNKNOWN_NOT_REGISTERED: a write with an unknown outcome ends its registration
 * mutation DOUBT_NOT_SETTLED: a new connection is used although the generation was not removed
 * mutation DOUBT_NOT_COMPARED: a reply over another connection than expected counts
 */
#define READS 3
#define max(a, b) ((a) > (b) -> (a) : (b))

typedef Cache {
  byte generation;       /* 0: none */
  bool isWriting;        /* whether the write is registered */
  byte entryGeneration;  /* 0: no entry */
  bit entryValue
};

Cache redis;
byte generations;        /* made so far */
bit value;               /* in the database: 1 after the change */
bit acknowledged;        /* the value after a write that has returned */
bit returned;            /* the greatest value that a read has returned */
bool isInFlight;         /* whether the database can still make the change */
bool hasEnded;           /* whether the write goes on no longer */
bool failedOver, isRegistrationLost;
bit started;             /* whether the first read has begun */
bool isConnected[2] = true;
byte doubts[2] = 1;
byte settled[2];

active proctype World() {
  byte chosen;
end:
  do
  /* What a failover brings back is at most as new as it was. */
  :: atomic { !failedOver ->
       failedOver = true;
       isRegistrationLost = true;
       select(chosen : 0 .. generations);
       redis.generation = chosen;
       select(chosen : 0 .. generations);
       redis.entryGeneration = chosen;
       redis.entryValue = 0;
       chosen = 0;
       if
       :: redis.isWriting = false
       :: skip
       fi;
       isConnected[0] = false;
       isConnected[1] = false
     }
  :: atomic { !isConnected[0] -> isConnected[0] = true; doubts[0]++ }
  :: atomic { !isConnected[1] -> isConnected[1] = true; doubts[1]++ }
  /* A registration expires after the longest write. */
  :: atomic { redis.isWriting && hasEnded && !isInFlight -> redis.isWriting = false }
  :: atomic { isInFlight -> isInFlight = false; value = 1 }
  od
}

active [READS] proctype Read() {
  bit process, found;
  byte least, seen, generation;
  bool isHit;

  /* The first two reads are of one process. They begin in their order, as they are alike. */
  atomic {
    (_pid != 2 || started) && (settled[_pid == READS] == doubts[_pid == READS] || isConnected[_pid == READS]) ->
    started = 1;
    process = _pid == READS;
    least = (acknowledged -> 2 : returned);
    seen = doubts[process];
#ifdef GENERATION_AFTER_READ
    found = value;
#endif
#ifndef DOUBT_NOT_SETTLED
    if
    :: settled[process] < seen -> redis.generation = 0; settled[process] = seen
    :: else
    fi
#endif
  }
  atomic {
    isConnected[process] ->
    if
#ifndef SERVED_DURING_WRITES
    :: redis.isWriting
    :: !redis.isWriting ->
#else
    :: true ->
#endif
         if
         :: redis.generation == 0 ->
#ifdef GENERATION_REPEATS
              generations = 1;
#else
              generations++;
#endif
              redis.generation = generations
         :: else
         fi;
         generation = redis.generation;
         if
#ifdef ENTRY_OF_ANY_GENERATION
         :: redis.entryGeneration != 0 -> isHit = true; found = redis.entryValue
#else
         :: redis.entryGeneration == generation -> isHit = true; found = redis.entryValue
#endif
         :: else
         fi
    fi
  }
  /* The reply. */
  atomic {
    if
#ifndef DOUBT_NOT_COMPARED
    :: seen != doubts[process] -> generation = 0; isHit = false
#endif
    :: else
    fi;
    seen = 0;
    if
    :: isHit ->
         assert(found == 1 || least == 0 || (least == 1 && isRegistrationLost));
         returned = returned | found;
         generation = 0
    :: else
    fi
  }
  atomic {
    if
    :: isHit
#ifdef GENERATION_AFTER_READ
    :: !isHit && generation != 0 -> returned = returned | found
    :: !isHit && generation == 0 -> found = value; returned = returned | found
#else
    :: !isHit -> found = value; returned = returned | found
#endif
    fi;
    isHit = false;
    least = 0
  }
  /* The entry is stored later, also over another connection, or never. */
  atomic {
    if
    :: generation != 0 && isConnected[process] ->
         redis.entryGeneration = generation;
         redis.entryValue = found
    :: true
    fi;
    process = 0;
    generation = 0;
    found = 0
  }
}

active proctype Writer() {
  bit changed;

  /* The registration. Without Redis, the write goes on. */
  atomic {
    if
    :: isConnected[1] ->
#ifndef NOT_REMOVED_BEFORE
         redis.generation = 0;
#endif
#ifndef NOT_REGISTERED
         redis.isWriting = true
#else
         skip
#endif
    :: isRegistrationLost = true
    fi
  }
  atomic {
    if
    :: value = 1; changed = 1
    :: isInFlight = true
    fi
  }
  if
  :: atomic { hasEnded = true; goto stop } /* The process ends here. */
  :: skip
  fi;
  atomic {
    isConnected[1] ->
#ifndef NOT_REMOVED_AFTER
    redis.generation = 0;
#endif
    if
#ifndef UNKNOWN_NOT_REGISTERED
    :: changed == 0
#else
    :: changed == 0 -> redis.isWriting = false
#endif
    :: changed == 1 -> redis.isWriting = false
    fi
  }
  atomic { acknowledged = changed; hasEnded = true }
stop:
  changed = 0
}
