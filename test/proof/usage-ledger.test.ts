import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import type { Document } from 'mongodb';
import type { Models } from '../../shared/models.ts';
import { packLevels } from '../../shared/usage/packed-levels.ts';
import { readUsage } from '../../shared/usage/read-usage.ts';
import type { HourUsage } from '../../shared/usage/usage.ts';
import { rollUpUsageProcessor } from '../../workers/usage/roll-up-usage.processor.ts';
import { buildHour } from '../shared/cost/build-usage.ts';
import { isLongForm } from '../support/long-form.ts';
import { checkSchedules, createCommand, scheduleTimeout } from '../support/scheduled-store/check-schedules.ts';
import { disturbances, pauses } from '../support/scheduled-store/disturbances.ts';
import { exploreTimeout, exploreTurns } from '../support/scheduled-store/explore-turns.ts';
import { documentsIn, toBson, withDocuments } from '../support/scheduled-store/scheduled-collection.ts';
import { createScheduledModels } from '../support/scheduled-store/scheduled-models.ts';
import {
  type ProcessOptions,
  ScheduledStore,
  type State,
  type StepScheduler,
} from '../support/scheduled-store/scheduled-store.ts';
import { TurnScheduler } from '../support/scheduled-store/turn-scheduler.ts';

const scenarioId = randomUUID();
const attempt = { number: 1, first: true, step: () => {}, reportProgress: () => {}, announceResult: () => {} };
/** Records have one hour in common, and each has an hour of its own, in one of two days. */
const common = buildHour();
const ownHours = Array.from({ length: 15 }, (_, number) => buildHour({ at: 1 + number + (number % 2) * 24 }));
const ownHour = (number: number) => ownHours[number]!;

/** A roll-up may read old versions of any of them. */
const collections = ['usage_ledgers', 'usage_years', 'usage_days', 'usage_records'] as const;

/** The records of a schedule. */
interface Known {
  records: number;
  acknowledged: Set<number>;
}

interface Real {
  store: ScheduledStore;
  known: Known;
  models: Models;
}

/** The logs by hour; a record counts in its own hour and in the common one. */
type Logs = ReadonlyMap<number, number>;

/** The usage that the ledger and the pending records add up to. */
function usageIn(state: State): Logs {
  const [ledger] = documentsIn(state, 'usage_ledgers');
  const byId = (collection: string) => new Map(documentsIn(state, collection).map((found) => [found['_id'], found]));
  const [years, days] = [byId('usage_years'), byId('usage_days')];
  const listed = (ledger?.['years'] ?? []).flatMap(({ usageYearId }: Document) => {
    const year = years.get(usageYearId);
    expect(year, 'a year that the ledger lists').to.exist;
    return year?.['days'];
  });
  const hours = listed.flatMap(({ usageDayId }: Document) => {
    const day = days.get(usageDayId);
    expect(day, 'a day that a year lists').to.exist;
    return day?.['hours'];
  });
  const pending = documentsIn(state, 'usage_records').filter(
    ({ _id, open }) => open && !ledger?.['covered'].includes(_id),
  );
  return sumLogs([...hours, ...pending.flatMap((record) => record['hours'])]);
}

function sumLogs(hours: Iterable<{ hour: Date; logs: bigint | number }>): Logs {
  const sums = new Map<number, number>();
  for (const { hour: at, logs } of hours) sums.set(at.getTime(), (sums.get(at.getTime()) ?? 0) + Number(logs));
  return sums;
}

/** The years and days that no version reaches any more; those of a later one can be in progress. */
function unreachedIn(state: State): string[] {
  const [ledger] = documentsIn(state, 'usage_ledgers');
  const years = (ledger?.['years'] ?? []).map(({ usageYearId }: Document) => usageYearId);
  const lists = documentsIn(state, 'usage_years');
  const days = lists.filter(({ _id }) => years.includes(_id)).flatMap((year) => year['days']);
  const reached = new Set([...years, ...days.map(({ usageDayId }: Document) => usageDayId)]);
  return [...lists, ...documentsIn(state, 'usage_days')]
    .filter(({ _id, forVersion }) => forVersion <= ledger?.['version'] && !reached.has(_id))
    .map(({ _id }) => _id);
}

/** Every record in the database counts once, and nothing else does. */
function judge(state: State): void {
  const counted = usageIn(state);
  const numbers = documentsIn(state, 'usage_records').map(({ _id }) => Number(_id));
  const expected = new Map(numbers.map((number) => [ownHour(number).hour.getTime(), 1]));
  if (numbers.length > 0) expected.set(common.hour.getTime(), numbers.length);
  const isSame = expected.size === counted.size && [...expected].every(([at, logs]) => counted.get(at) === logs);
  if (!isSame) expect([...counted], 'logs by hour').to.have.deep.members([...expected]);
}

async function insert({ known, models }: Real): Promise<void> {
  const number = known.records;
  known.records += 1;
  const record = { _id: String(number), scenarioId, open: true, ...packLevels([common, ownHour(number)]) };
  await models.usageRecord.collection.insertOne(record as never);
  known.acknowledged.add(number);
}

const insertRecord = createCommand<Real>('insert a record', (real) => real.store.start('ingest', () => insert(real)));

const rollUp = (models: Models) =>
  rollUpUsageProcessor.run({ scenarioId, requestId: randomUUID() }, { models }, attempt);

const startRollUpWith = (options: ProcessOptions) =>
  createCommand<Real>(`roll up ${JSON.stringify(options)}`, ({ store, models }) =>
    store.start('roll-up', () => rollUp(models), options),
  );

/** Reads the usage, which must be that of one instant, and have what was acknowledged before. */
async function readAndCheck({ known, models }: Real): Promise<void> {
  const before = [...known.acknowledged];
  const deps = { models, queues: { 'roll-up-usage': { add: () => expect.fail('No read is refused.') } } };
  const hours = await readUsage(deps as never, scenarioId, {}, async (days) => {
    const read: HourUsage[] = [];
    for await (const some of days) read.push(...some);
    return read;
  });
  const logs = sumLogs(hours);
  const counts = Array.from({ length: known.records }, (_, number) => logs.get(ownHour(number).hour.getTime()) ?? 0);
  expect(Math.max(0, ...counts), 'counts of a record').to.be.at.most(1);
  for (const number of before) expect(counts[number], `record ${number}`).to.equal(1);
  const sum = counts.reduce((all, count) => all + count, 0);
  expect(logs.get(common.hour.getTime()) ?? 0, 'the common hour').to.equal(sum);
}

const startRead = (pausedAt: number | undefined) =>
  createCommand<Real>(`read, paused at ${pausedAt}`, (real) =>
    real.store.start('read', () => readAndCheck(real), { pausedAt }),
  );

describe('the usage ledger in random schedules', () => {
  const models = createScheduledModels();

  function create(scheduler: StepScheduler): Real {
    const store = new ScheduledStore(scheduler, judge);
    const scenario = toBson({ _id: scenarioId, deletedAt: null });
    store.replace(withDocuments(store.primary, 'scenarios', [[scenarioId, scenario]]));
    return { store, known: { records: 0, acknowledged: new Set() }, models };
  }

  /** A last roll-up leaves no record out, and no document of this or an earlier version behind. */
  function checkEnd(real: Real): void {
    real.store.start('last roll-up', async () => {
      await rollUp(models);
      await readAndCheck(real);
      expect(unreachedIn(real.store.primary), 'documents that the ledger does not reach').to.deep.equal([]);
    });
  }

  it('counts each usage record once, in every state and in every read', async () => {
    const stale = fc.record({
      collection: fc.constantFrom(...collections),
      changes: fc.integer({ min: 1, max: 9 }),
    });
    const commands = [
      fc.constant(insertRecord),
      pauses.map((pausedAt) => startRollUpWith({ pausedAt })),
      stale.map((reads) => startRollUpWith({ stale: reads })),
      pauses.map(startRead),
      ...disturbances<Real>(),
    ];
    await checkSchedules<Real>(commands, async (scheduler, execute) => {
      const real = create(scheduler);
      await execute(real);
      await real.store.end();
      checkEnd(real);
      await real.store.end();
      real.store.throwFailure();
    });
  }).timeout(scheduleTimeout);

  const start = (name: string, work: (real: Real) => Promise<unknown>) => (real: Real) =>
    real.store.start(name, () => work(real));
  const startRollUp = (name: string) => start(name, () => rollUp(models));

  /** Two records, the first of which is rolled up. */
  function createWithRecords(scheduler: StepScheduler): Real {
    const real = create(scheduler);
    real.store.start('before', async () => {
      await insert(real);
      await rollUp(models);
      await insert(real);
    });
    return real;
  }

  it('counts each usage record once, wherever a roll-up, an insert and a failover meet', async () => {
    const turns = { create: createWithRecords, two: startRollUp('two'), isSampled: true, check: checkEnd };
    await exploreTurns<Real>({ ...turns, one: start('one', insert) });
    if (isLongForm) await exploreTurns<Real>({ ...turns, one: startRollUp('one') });
  }).timeout(exploreTimeout);

  const versionIn = (state: State) => documentsIn(state, 'usage_ledgers')[0]?.['version'];
  /** Whether a failover can undo the version of the ledger. */
  const isUndoable = ({ store }: Real) => versionIn(store.primary) !== versionIn(store.majority);

  it('loses no record by a roll-up that starts while a failover can undo the ledger of another one', async () => {
    let orders = 0;
    await exploreTurns<Real>({
      create: createWithRecords,
      one: startRollUp('one'),
      begins: isUndoable,
      two: startRollUp('two'),
      check: (real) => {
        orders += 1;
        checkEnd(real);
      },
    });
    expect(orders, 'orders of steps').to.be.greaterThan(0);
  }).timeout(exploreTimeout);

  it('shows each usage record in a read, although a failover undoes the ledger that it has read', async () => {
    // The undone roll-up has not seen the last record; the one that sets its version again has.
    const stale = { collection: 'usage_records', changes: 1 } as const;
    let orders = 0;
    await exploreTurns<Real>({
      create: (scheduler) => {
        const real = create(scheduler);
        real.store.start('before', async () => {
          await insert(real);
          await rollUp(models);
          // So many that the read of them lasts longer than that of the days.
          for (let records = 8; records > 0; records -= 1) await insert(real);
        });
        return real;
      },
      one: ({ store }) => store.start('one', () => rollUp(models), { stale }),
      begins: isUndoable,
      two: start('two', readAndCheck),
      meanwhile: startRollUp('meanwhile'),
      check: (real) => {
        orders += 1;
        checkEnd(real);
      },
    });
    expect(orders, 'orders of steps').to.be.greaterThan(0);
  }).timeout(exploreTimeout);

  it('counts each usage record once, however old the pending records are that roll-ups read', async () => {
    // The first one can miss the second record, the next one can see the first one as it was.
    for (let first = 0; first < 4; first += 1) {
      for (let next = 0; next < 25; next += 1) {
        const real = create(new TurnScheduler());
        real.store.start('before', async () => {
          await insert(real);
          await insert(real);
        });
        await real.store.end();
        for (const changes of [first, next]) {
          real.store.start('roll-up', () => rollUp(models), { stale: { collection: 'usage_records', changes } });
          await real.store.end();
        }
        checkEnd(real);
        await real.store.end();
        real.store.throwFailure();
      }
    }
  }).timeout(exploreTimeout);

  it('keeps the documents of a roll-up whose update of the ledger seems to have failed, because it was repeated', async () => {
    const { usageLedger } = models;
    const { collection } = usageLedger;
    const updateOne = async (...update: Parameters<typeof collection.updateOne>) => {
      await collection.updateOne(...update);
      return collection.updateOne(...update);
    };
    const repeating = Object.assign(Object.create(usageLedger), {
      collection: Object.assign(Object.create(collection), { updateOne }),
    });
    const scheduler = new TurnScheduler();
    const real = createWithRecords(scheduler);
    await real.store.end();
    real.store.start('one', () => rollUp({ ...models, usageLedger: repeating }));
    await real.store.end();
    checkEnd(real);
    await real.store.end();
    real.store.throwFailure();
  });

  it('counts each usage record once beside a roll-up that is late to empty the lists of its version', async () => {
    /** Whether the lists are all that is left to do of a version. */
    const isDiscarded = (state: State) => {
      const { covered = [], replaced = [] } = documentsIn(state, 'usage_ledgers')[0] ?? {};
      const left = documentsIn(state, 'usage_days').some(({ _id }) => replaced.includes(_id));
      return covered.length > 0 && !left && documentsIn(state, 'usage_records').every(({ open }) => !open);
    };
    let orders = 0;
    await exploreTurns<Real>({
      create: createWithRecords,
      one: startRollUp('one'),
      begins: ({ store }) => isDiscarded(store.primary),
      two: start('two', async (real) => {
        await insert(real);
        await rollUp(models);
      }),
      events: [],
      isSampled: true,
      check: (real) => {
        orders += 1;
        checkEnd(real);
      },
    });
    expect(orders, 'orders of steps').to.be.greaterThan(0);
  }).timeout(exploreTimeout);
});
