import { expect } from 'chai';
import fc from 'fast-check';
import { updateAccount } from '../../api/accounts/user-store.ts';
import type { Role } from '../../shared/accounts/user.model.ts';
import { AppError } from '../../shared/errors.ts';
import {
  checkSchedules,
  createCommand,
  type ScheduleCommand,
  scheduleTimeout,
} from '../support/scheduled-store/check-schedules.ts';
import { disturbances, pauses } from '../support/scheduled-store/disturbances.ts';
import { documentsIn, toBson, withDocuments } from '../support/scheduled-store/scheduled-collection.ts';
import { createScheduledModels } from '../support/scheduled-store/scheduled-models.ts';
import { ScheduledStore, type State } from '../support/scheduled-store/scheduled-store.ts';

interface Real {
  store: ScheduledStore;
}

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

  const update = (id: string, change: { role: Role } | { disabled: boolean }, pausedAt?: number): AccountCommand =>
    createCommand(`${id}: ${JSON.stringify({ ...change, pausedAt })}`, ({ store }) =>
      store.start(
        `${id}: ${JSON.stringify(change)}`,
        async () => {
          try {
            await updateAccount(models, 'the caller', id, change);
          } catch (error) {
            if (!(error instanceof AppError && error.code === 'CONFLICT')) throw error;
          }
        },
        { pausedAt },
      ),
    );

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
        fc.tuple(fc.constantFrom(...ids), pauses).map(([id, pausedAt]) => update(id, change, pausedAt)),
      ),
      ...disturbances<Real>(),
    ];
    await checkSchedules<Real>(commands, async (scheduler, execute) => {
      const store = new ScheduledStore(scheduler, judge);
      const accounts = ids.map((id, at) => [id, toBson(accountOf(id, at < 2 ? 'admin' : 'member'))] as const);
      store.replace(withDocuments(store.primary, 'users', accounts));
      await execute({ store });
      await store.end();
      store.throwFailure();
    });
  }).timeout(scheduleTimeout);
});
