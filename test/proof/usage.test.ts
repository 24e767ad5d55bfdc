import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import type { Document } from 'mongodb';
import { removeInPortions } from '../../shared/connections/mongo.ts';
import { minute } from '../../shared/durations.ts';
import { AppError } from '../../shared/errors.ts';
import type { Models } from '../../shared/models.ts';
import { readConsistently, type UsageSource } from '../../shared/usage/read-usage.ts';
import { rollUp } from '../../shared/usage/roll-up.ts';
import { type BatchUsage, firstHourOf, type UsagePart } from '../../shared/usage/stored-hour.ts';
import { firstPlan } from '../../shared/usage/usage.model.ts';
import { createUsageStore, removeUsage, type UsageStore } from '../../shared/usage/usage-store.ts';
import { rollUpUsageProcessor } from '../../workers/usage/roll-up-usage.processor.ts';
import { isLongForm } from '../support/long-form.ts';
import {
  checkSchedules,
  createCommand,
  disturbances,
  pauses,
  scheduleTimeout,
} from '../support/scheduled-store/check-schedules.ts';
import { exploreTimeout, exploreTurns } from '../support/scheduled-store/explore-turns.ts';
import {
  createScheduledModels,
  documentsIn,
  toBson,
  withDocuments,
} from '../support/scheduled-store/scheduled-collection.ts';
import {
  type ProcessOptions,
  ScheduledStore,
  type State,
  type StepScheduler,
} from '../support/scheduled-store/scheduled-store.ts';
import { mistakes, type Plant } from './usage-mistakes.ts';

/** Makes the protocol a wrong one. */
interface Mistake {
  plant?: Plant;
  stale?: ProcessOptions['stale'];
}

const scenarioId = randomUUID();
const models = createScheduledModels();

/** Batches have one hour in common, and each has an hour of its own, in one of two days. */
const commonHour = Date.UTC(2026, 4, 1);
const ownHour = (number: number) => commonHour + (1 + number + (number % 2) * 24) * 3_600_000;

function usageOf(number: number): BatchUsage {
  return [commonHour, ownHour(number)].map((start) => ({
    hour: new Date(start),
    logs: 1,
    sizeBytes: 1,
    queues: {},
    functions: {},
    inference: {},
  }));
}

/** The batches of a schedule. */
interface Known {
  batches: number;
  accepted: Set<number>;
  stored: Set<number>;
  /** Batches that a read has counted. */
  shown: Set<number>;
}

interface Real {
  store: ScheduledStore;
  known: Known;
  models: Models;
  /** The store of roll-ups and of reads. */
  usage: () => UsageStore;
}

/** The logs by hour; a batch counts in its own hour and in the common one. */
type Logs = ReadonlyMap<number, number>;

const dayOf = (time: number) => Math.floor(time / 86_400_000);

/** The logs of each hour, or of each day, that the documents of a state add up to. */
function usageIn(state: State, kind: 'hours' | 'days'): Map<number, number> {
  const plan = documentsIn(state, 'usage_plans')[0];
  const sums = new Map<number, number>();
  const seqs = new Map<number, number>();
  const keyOf = (time: number) => (kind === 'hours' ? time : dayOf(time));
  const add = (key: number, logs: number) => sums.set(key, (sums.get(key) ?? 0) + logs);
  for (const sum of documentsIn(state, `usage_${kind}`)) {
    const key = keyOf((sum['hour'] ?? sum['first']).getTime());
    seqs.set(key, sum['seq']);
    add(key, sum['logs']);
  }
  for (const { _id, usage, counted, state: own } of documentsIn(state, 'log_batches')) {
    if (counted || own !== 'stored') continue;
    for (const { hour, logs } of usage) {
      const key = keyOf(hour.getTime());
      const isCounted = plan?.['ids'].includes(_id) && (seqs.get(key) ?? 0) >= plan['seq'];
      if (!isCounted) add(key, logs);
    }
  }
  return sums;
}

/** Every stored batch counts once in every state, and so does every one that was purged. */
function judge(state: State): void {
  if (documentsIn(state, 'usage_plans').length === 0) return;
  const hours = usageIn(state, 'hours');
  const { [commonHour]: common = 0, ...own } = Object.fromEntries(hours);
  const stored = documentsIn(state, 'log_batches').filter((batch) => batch['state'] === 'stored');
  for (const { _id } of stored) expect(own[ownHour(Number(_id))], `logs of batch ${_id}`).to.equal(1);
  for (const [hour, logs] of Object.entries(own)) expect(logs, `logs of hour ${hour}`).to.equal(1);
  expect(common, 'logs of the common hour').to.equal(Object.keys(own).length);
  const days = new Map<number, number>();
  for (const [hour, logs] of hours) days.set(dayOf(hour), (days.get(dayOf(hour)) ?? 0) + logs);
  expect(usageIn(state, 'days'), 'logs by day').to.deep.equal(days);
}

/** Accepts a batch, and processes it. */
async function ingest({ known, models: { logBatch } }: Real): Promise<void> {
  const number = known.batches;
  known.batches += 1;
  const _id = String(number) as never;
  const batch = { _id, scenarioId, state: 'queued', counted: false, count: 1, receivedAt: new Date(number), text: 'x' };
  await logBatch.collection.insertOne(batch);
  known.accepted.add(number);
  const completed = { $set: { state: 'stored', usage: usageOf(number) }, $unset: { text: 1 } };
  await logBatch.collection.updateOne({ _id, state: 'queued' }, completed);
  known.stored.add(number);
}

const hooks = { isScenarioDeleted: async () => false, reportProgress: () => {} };
const rollUpOnce = ({ usage }: Real) => rollUp(usage(), scenarioId, hooks);

/** As soon as possible; `log-retention.ts` waits for days. */
const purge = ({ models: { logBatch } }: Real) => removeInPortions(logBatch.collection, { counted: true });

function logsOf(read: readonly UsagePart[], keyOf: (time: number) => number): Logs {
  const sums = new Map<number, number>();
  for (const part of read) {
    const key = keyOf(firstHourOf(part).getTime());
    sums.set(key, (sums.get(key) ?? 0) + Number(part.logs));
  }
  return sums;
}

/** Reads the usage, which must be that of one instant, with all batches that were stored before. */
async function readAndCheck({ known, usage }: Real): Promise<void> {
  const [accepted, stored, shown] = [known.accepted.size, [...known.stored], [...known.shown]];
  const source: UsageSource = { store: usage(), scenarioId, period: {}, withLevels: false, maxUncounted: 1_000 };
  const { hours, days, unprocessed } = await readConsistently(source, async (readDays, unprocessed) => {
    const read = { hours: [] as UsagePart[], days: [] as UsagePart[], unprocessed };
    for await (const some of readDays(() => 'hours')) read.hours.push(...some);
    for await (const some of readDays(() => 'day')) read.days.push(...some);
    return read;
  });
  const logs = logsOf(hours, (time) => time);
  const counts = Array.from({ length: known.batches }, (_, number) => logs.get(ownHour(number)) ?? 0);
  expect(Math.max(0, ...counts), 'counts of a batch').to.be.at.most(1);
  for (const number of [...stored, ...shown]) expect(counts[number], `batch ${number}`).to.equal(1);
  const sum = counts.reduce((all, count) => all + count, 0);
  expect(logs.get(commonHour) ?? 0, 'the common hour').to.equal(sum);
  expect(logsOf(days, dayOf), 'logs by day').to.deep.equal(logsOf(hours, dayOf));
  expect(sum + unprocessed.pending, 'entries that are counted or pending').to.be.within(accepted, known.batches);
  for (const [number, count] of counts.entries()) if (count === 1) known.shown.add(number);
}

function create(scheduler: StepScheduler, mistake?: Mistake): Real {
  const store = new ScheduledStore(scheduler, judge);
  const documents = { scenarios: { _id: scenarioId, deletedAt: null }, usage_plans: firstPlan(scenarioId) };
  for (const [collection, document] of Object.entries(documents)) {
    store.replace(withDocuments(store.primary, collection, [[scenarioId, toBson(document)]]));
  }
  const known: Known = { batches: 0, accepted: new Set(), stored: new Set(), shown: new Set() };
  const usage = () => {
    const right = createUsageStore(models, scenarioId);
    return { ...right, ...mistake?.plant?.(right, models, scenarioId) };
  };
  return { store, known, models, usage };
}

/** A last roll-up counts what is left, and ends the plan. */
function checkEnd(real: Real): void {
  const { store } = real;
  store.start('last roll-up', async () => {
    await rollUpOnce(real);
    await readAndCheck(real);
    expect(documentsIn(store.primary, 'usage_plans')[0]).to.include({ open: false });
    const uncounted = documentsIn(store.primary, 'log_batches').filter(
      ({ counted, state }) => !counted && state === 'stored',
    );
    expect(uncounted, 'stored batches that no hour contains').to.deep.equal([]);
  });
}

const start = (name: string, work: (real: Real) => Promise<unknown>, options?: ProcessOptions) => (real: Real) =>
  real.store.start(name, () => work(real), options);

const commandsWith = (stale?: ProcessOptions['stale']) => [
  fc.constant(createCommand<Real>('ingest', start('ingest', ingest))),
  pauses.map((pausedAt) =>
    createCommand<Real>(`roll up, paused at ${pausedAt}`, start('roll-up', rollUpOnce, { pausedAt, stale })),
  ),
  pauses.map((pausedAt) =>
    createCommand<Real>(`read, paused at ${pausedAt}`, start('read', readAndCheck, { pausedAt, stale })),
  ),
  fc.constant(createCommand<Real>('purge', start('purge', purge))),
  ...disturbances<Real>(),
];

async function check(mistake?: Mistake): Promise<void> {
  await checkSchedules<Real>(
    commandsWith(mistake?.stale),
    async (scheduler, execute) => {
      const real = create(scheduler, mistake);
      await execute(real);
      await real.store.end();
      checkEnd(real);
      await real.store.end();
      real.store.throwFailure();
    },
    mistake && { numRuns: 100_000, endOnFailure: true },
  );
}

describe('the usage of a scenario in random schedules', () => {
  it('counts each batch once, in every state and in every read', () => check()).timeout(scheduleTimeout);

  /** Two batches, the first of which is counted. */
  function createWithBatches(scheduler: StepScheduler): Real {
    const real = create(scheduler);
    real.store.start('before', async () => {
      await ingest(real);
      await rollUpOnce(real);
      await ingest(real);
    });
    return real;
  }

  it('counts each batch once, wherever two roll-ups, a read and a failover meet', async () => {
    const turns = { create: createWithBatches, one: start('one', rollUpOnce), isSampled: true, check: checkEnd };
    await exploreTurns<Real>({ ...turns, two: start('two', readAndCheck) });
    if (isLongForm) await exploreTurns<Real>({ ...turns, two: start('two', rollUpOnce) });
  }).timeout(exploreTimeout);

  it('leaves nothing of a deleted scenario, wherever its deletion and a roll-up meet', async () => {
    const attempt = {
      number: 1,
      first: true,
      last: false,
      reportProgress: () => {},
      announceResult: () => {},
    };
    const job = { scenarioId, requestId: randomUUID() };
    const deletion = async () => {
      const { scenario } = models;
      await scenario.collection.updateOne({ _id: scenarioId as never }, { $set: { deletedAt: new Date() } });
      await removeUsage(models, scenarioId);
    };
    await exploreTurns<Real>({
      create: createWithBatches,
      one: start('one', () => rollUpUsageProcessor.run(job, { models } as never, attempt)),
      two: start('two', deletion),
      isSampled: true,
      events: [],
      check: ({ store }) => {
        const left = ['usage_plans', 'usage_hours', 'usage_days', 'log_batches'].flatMap((name): Document[] =>
          documentsIn(store.primary, name),
        );
        expect(left, 'documents of the deleted scenario').to.deep.equal([]);
      },
    });
  }).timeout(exploreTimeout);

  const itFinds = (name: string, mistake: Mistake) =>
    it(`finds a mistake: ${name}`, async () => {
      const failure = await check(mistake).catch((error: unknown) => error);
      expect(failure).to.be.instanceOf(Error).and.not.instanceOf(AppError);
    }).timeout(20 * minute);
  if (isLongForm) {
    for (const [name, plant] of Object.entries(mistakes)) itFinds(name, { plant });
    itFinds('batches that a member reads which is behind', { stale: { collection: 'log_batches', changes: 6 } });
  }
});
