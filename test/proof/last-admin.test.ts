import { expect } from 'chai';
import fc from 'fast-check';
import { updateAccount } from '../../api/accounts/users.store.ts';
import type { Role } from '../../shared/accounts/user.model.ts';
import { AppError } from '../../shared/errors.ts';
import {
  checkSchedules,
  createCommand,
  disturbances,
  pauses,
  type ScheduleCommand,
  scheduleTimeout,
} from '../support/scheduled-store/check-schedules.ts';
import { exploreTimeout, exploreTurns } from '../support/scheduled-store/explore-turns.ts';
import {
  createScheduledModels,
  documentsIn,
  toBson,
  withDocuments,
} from '../support/scheduled-store/scheduled-collection.ts';
import { ScheduledStore, type State, type StepScheduler } from '../support/scheduled-store/scheduled-store.ts';

interface Real {
  store: ScheduledStore;
  /** Whether an account is an active admin, as the response to the last change of it says. */
  known: Map<string, boolean>;
}

type Change = { role: Role } | { disabled: boolean };

type AccountCommand = ScheduleCommand<Real>;

const ids = ['one', 'two', 'three'] as const;
const accountOf = (id: string, role: Role) => {
  const now = new Date();
  const email = `${id}@example.org`;
  return { _id: id, email, emailKey: email, role, passwordHash: 'a hash', createdAt: now, updatedAt: now };
};

function judge(state: State): void {
  const admins = documentsIn(state, 'users').filter(({ role, disabledAt }) => role === 'admin' && !disabledAt);
  expect(admins.length, 'active admins').to.be.at.least(1);
}

describe('the last admin in random schedules', () => {
  const models = createScheduledModels();

  async function update({ known }: Real, id: string, change: Change): Promise<void> {
    const before = known.get(id);
    known.delete(id);
    try {
      const user = await updateAccount(models, 'the caller', id, change);
      known.set(id, user.role === 'admin' && !user.disabledAt);
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'CONFLICT')) throw error;
      if (before !== undefined) known.set(id, before);
    }
  }

  const command = (id: string, change: Change, pausedAt?: number): AccountCommand =>
    createCommand(`${id}: ${JSON.stringify({ ...change, pausedAt })}`, (real) =>
      real.store.start(`${id}: ${JSON.stringify(change)}`, () => update(real, id, change), { pausedAt }),
    );

  /** @param admins so many of the accounts are admins at the beginning. */
  function create(scheduler: StepScheduler, admins: number): Real {
    const store = new ScheduledStore(scheduler, judge);
    const accounts = ids.map((id, at) => [id, toBson(accountOf(id, at < admins ? 'admin' : 'member'))] as const);
    store.replace(withDocuments(store.primary, 'users', accounts));
    return { store, known: new Map() };
  }

  it('remains an active admin, whatever accounts lose and get their role at the same time', async () => {
    const changes = [
      { role: 'member' },
      { role: 'member' },
      { disabled: true },
      { role: 'admin' },
      { disabled: false },
    ] as const;
    const commands = [
      ...changes.map((change) =>
        fc.tuple(fc.constantFrom(...ids), pauses).map(([id, pausedAt]) => command(id, change, pausedAt)),
      ),
      ...disturbances<Real>(),
    ];
    await checkSchedules<Real>(commands, async (scheduler, execute) => {
      const real = create(scheduler, 2);
      await execute(real);
      await real.store.end();
      real.store.throwFailure();
    });
  }).timeout(scheduleTimeout);

  const start = (name: string, id: string, change: Change) => (real: Real) =>
    real.store.start(name, () => update(real, id, change));
  const demote = { role: 'member' } as const;
  const promote = { role: 'admin' } as const;

  /** An account is what the response to its last change says. */
  function checkKnown({ store, known }: Real): void {
    for (const { _id, role, disabledAt } of documentsIn(store.primary, 'users')) {
      const isAdmin = role === 'admin' && !disabledAt;
      expect(isAdmin, `${_id} is an admin`).to.equal(known.get(_id) ?? isAdmin);
    }
  }

  it('remains when both admins are demoted at once, wherever the two requests and a failover meet', async () => {
    const demoteBoth = {
      create: (scheduler: StepScheduler) => create(scheduler, 2),
      one: start('one', 'one', demote),
      two: start('two', 'two', demote),
      check: checkKnown,
    };
    await exploreTurns(demoteBoth);
    await exploreTurns({ ...demoteBoth, meanwhile: start('meanwhile', 'two', demote) });
  }).timeout(exploreTimeout);

  it('remains when the other admin has not been stored by a majority, and a failover undoes it', async () => {
    await exploreTurns({
      create: (scheduler) => create(scheduler, 1),
      one: start('one', 'two', promote),
      two: start('two', 'one', demote),
      check: checkKnown,
    });
  }).timeout(exploreTimeout);

  it('keeps a role that was given back, when another account is demoted', async () => {
    await exploreTurns({
      create: (scheduler) => {
        const real = create(scheduler, 3);
        real.store.start('before', async () => {
          await update(real, 'two', demote);
          await update(real, 'two', promote);
        });
        return real;
      },
      one: start('one', 'one', demote),
      two: start('two', 'three', { disabled: true }),
      check: checkKnown,
    });
  }).timeout(exploreTimeout);
});
