/*
 * Removals of admins: api/accounts/last-admin.ts and shared/accounts/admin-ledger.model.ts.
 *
 * Requests remove admins by their role or by disabling them, which is the same here, while another
 * one makes an account admin again. The primary can fail over once, which undoes what no majority
 * has. A request can end before every step: one that has ended is one that makes no further step.
 * In every state there is an admin.
 *
 * bound: 3 accounts, 2 of them admins, 3 removals, 1 promotion, 1 failover
 *
 * mutation GRANT_NOT_NEEDED: an admin is removed after counting the others
 * mutation GRANTED_NOT_CARRIED_OUT: the change granted before is not carried out before counting
 * mutation VERSION_NOT_COMPARED: a change is granted whatever was granted since
 * mutation REVISION_NOT_COMPARED: a granted change applies to an account that has changed since
 * mutation LEDGER_NOT_OF_MAJORITY: the grant that is carried out can be undone by a failover
 * mutation COUNT_NOT_OF_MAJORITY: admins are counted that a failover can undo
 * mutation NO_CHANGE_NOT_AWAITED: what another request has carried out counts before a majority has
 *   it
 */
#define ACCOUNTS 3
#define REMOVALS 3
#define NONE 7
#define bit(i) (1 << (i))
#define has(bits, i) (((bits) >> (i)) & 1)

typedef Database {
  byte admins = 3;              /* as bits */
  byte revisions[ACCOUNTS];
  byte version;                 /* of the ledger */
  byte granted = NONE;          /* the account of the granted change */
  byte grantedRevision
};

Database primary, majority;
bool failedOver;
/* Writes of requests: what the acknowledgement of a majority is for. */
byte waiting, failed; /* requests, as bits */


inline copy(from, to) {
  to.admins = from.admins;
  to.revisions[0] = from.revisions[0];
  to.revisions[1] = from.revisions[1];
  to.revisions[2] = from.revisions[2];
  to.version = from.version;
  to.granted = from.granted;
  to.grantedRevision = from.grantedRevision
}

active proctype Majority() {
end:
  do
  :: atomic { waiting != 0 -> copy(primary, majority); waiting = 0 }
  :: atomic { !failedOver ->
       failedOver = true;
       copy(majority, primary);
       failed = waiting;
       waiting = 0
     }
  od
}

inline apply(account, expected) {
#ifdef REVISION_NOT_COMPARED
  if
  :: has(primary.admins, account) ->
#else
  if
  :: primary.revisions[account] == expected ->
#endif
       primary.admins = primary.admins & ~bit(account);
       primary.revisions[account]++;
       assert(primary.admins != 0);
       waiting = waiting | bit(_pid)
#ifdef NO_CHANGE_NOT_AWAITED
  :: else
#else
  :: else -> waiting = waiting | bit(_pid)
#endif
  fi
}

/* Ends the request if its write was undone. */
inline awaitMajority() {
  atomic {
    !has(waiting, _pid) ->
    if
    :: has(failed, _pid) -> goto stop
    :: else
    fi
  }
}

active [REMOVALS] proctype Removal() {
  byte account, revision, version, granted, grantedRevision;

  /* Each account has a removal. */
  atomic { account = _pid - 1; revision = primary.revisions[account] }
again:
  atomic {
#ifdef LEDGER_NOT_OF_MAJORITY
    version = primary.version;
    granted = primary.granted;
    grantedRevision = primary.grantedRevision
#else
    version = majority.version;
    granted = majority.granted;
    grantedRevision = majority.grantedRevision
#endif
  }
#ifndef GRANTED_NOT_CARRIED_OUT
  if
  :: granted != NONE -> atomic { apply(granted, grantedRevision) }; awaitMajority()
  :: else
  fi;
#endif
  atomic {
    granted = 0;
    grantedRevision = 0;
    if
#ifdef COUNT_NOT_OF_MAJORITY
    :: (primary.admins & ~bit(account)) == 0 -> goto stop
#else
    :: (majority.admins & ~bit(account)) == 0 -> goto stop
#endif
    :: else
    fi
  }
#ifndef GRANT_NOT_NEEDED
  atomic {
    if
#ifdef VERSION_NOT_COMPARED
    :: true ->
#else
    :: primary.version == version ->
#endif
         primary.version++;
         primary.granted = account;
         primary.grantedRevision = revision;
         waiting = waiting | bit(_pid)
    :: else -> version = 0; goto again
    fi
  }
  awaitMajority();
#endif
  atomic { apply(account, revision) }
stop:
  atomic {
    account = 0;
    revision = 0;
    version = 0;
    granted = 0;
    grantedRevision = 0
  }
}

active proctype Promotion() {
  byte account;

  atomic {
    select(account : 0 .. ACCOUNTS - 1);
    if
    :: !has(primary.admins, account) ->
         primary.admins = primary.admins | bit(account);
         primary.revisions[account]++;
         waiting = waiting | bit(_pid)
    :: else
    fi;
    account = 0
  }
}
