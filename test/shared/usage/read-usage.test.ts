import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { presentRow } from '../../../api/cost/metrics.schema.ts';
import { priceByPage } from '../../../shared/cost/paged-cost.ts';
import { sumMonths } from '../../../shared/cost/scenario-cost.ts';
import { hour } from '../../../shared/durations.ts';
import { AppError } from '../../../shared/errors.ts';
import { levelClasses } from '../../../shared/scenarios/pipeline.ts';
import { seededRandom } from '../../../shared/seeded-random.ts';
import { usageNeededFor } from '../../../shared/usage/periods.ts';
import { type ReadDays, readUsage } from '../../../shared/usage/read-usage.ts';
import { type BatchUsage, firstHourOf } from '../../../shared/usage/stored-hour.ts';
import { UsageTally } from '../../../shared/usage/usage-tally.ts';
import { rollUpUsageProcessor } from '../../../workers/usage/roll-up-usage.processor.ts';
import { randomInteger } from '../../support/random-choices.ts';
import { readHours } from '../../support/read-hours.ts';
import { createScenario, expectError } from '../../support/requests.ts';
import { buildStoredBatch, storeBatches } from '../../support/stored-batches.ts';
import { startTestService } from '../../support/test-service.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { buildEntryUsage, defaultPricing } from '../cost/build-usage.ts';

const start = Date.UTC(2026, 4, 1, 20);

/** Usage of one entry in each of the hours, which are counted from `start`. */
function oneEntryIn(...hours: number[]): BatchUsage {
  return hours.map((offset) => ({
    hour: new Date(start + offset * hour),
    logs: 1,
    sizeBytes: 10,
    queues: { standard: 1 },
    // Not exactly representable as a number.
    functions: { x86_64: { invocations: 1, mbMs: 9_007_199_254_740_993n } },
    inference: {},
  }));
}

/** Usage of an entry of each level in so many hours. */
function levelsIn(hours: number): BatchUsage {
  const tally = new UsageTally();
  for (let index = 0; index < 8 * hours; index += 1) {
    const at = { hour: start + Math.floor(index / 8) * hour, second: index % 3_600, level: levelClasses[index % 8]! };
    tally.add({ ...buildEntryUsage({ sizeBytes: 10, ...at }), outputTokens: null });
  }
  return tally.hours();
}

const thousandHours = (first: number) => oneEntryIn(...Array.from({ length: 1_000 }, (_, index) => first + index));

const firstAttempt = {
  number: 1,
  first: true,
  last: false,
  reportProgress: () => {},
  announceResult: () => {},
};

describe('the usage of a scenario', () => {
  const service = startTestService({ workers: false });
  const models = () => service.app.models;

  const add = async (scenarioId: string, batches: number, hours: number[]) =>
    storeBatches(models(), scenarioId, ...Array.from({ length: batches }, () => oneEntryIn(...hours)));
  const logsOf = async (scenarioId: string) =>
    (await readHours(service.app, scenarioId)).reduce((sum, { logs }) => sum + Number(logs), 0);
  const rollUp = (scenarioId: string) =>
    rollUpUsageProcessor.run({ scenarioId, requestId: randomUUID() }, service.app as never, firstAttempt);
  const planOf = (scenarioId: string) => models().usagePlan.findById(scenarioId).lean();
  const countIds = (collection: 'usageHour' | 'usageDay', scenarioId: string) =>
    models()[collection].collection.countDocuments({ _id: { $gt: scenarioId, $lt: `${scenarioId}~` } as never });

  it('is exactly the same before and after a roll-up', async () => {
    const { id } = await createScenario(service);
    await add(id, 7, [0, 3, 4, 30]);
    const before = await readHours(service.app, id);
    expect(before.map(({ hour: at, logs }) => [(at.getTime() - start) / hour, logs])).to.deep.equal([
      [0, 7],
      [3, 7],
      [4, 7],
      [30, 7],
    ]);
    expect(before[0]?.functions['x86_64']?.mbMs).to.equal(7n * 9_007_199_254_740_993n);
    expect(await rollUp(id)).to.deep.equal({ counted: 7 });
    expect(await readHours(service.app, id)).to.deep.equal(before);
    expect(await countIds('usageHour', id)).to.equal(4);
    expect(await countIds('usageDay', id)).to.equal(3);
    const batches = await models().logBatch.find({ scenarioId: id }).lean();
    expect(batches.every(({ counted, countedAt, usage }) => counted && countedAt && !usage)).to.equal(true);
    expect(await rollUp(id)).to.deep.equal({ counted: 0 });

    await add(id, 2, [3]);
    await rollUp(id);
    expect(await logsOf(id)).to.equal(30);
    expect(await planOf(id)).to.deep.equal({ _id: id, seq: 2, open: false, ids: [] });
  });

  it('is read for a period', async () => {
    const { id } = await createScenario(service);
    await add(id, 1, [0, 3, 4, 30]);
    const period = { from: new Date(start + 3 * hour), to: new Date(start + 30 * hour) };
    const hoursIn = async () =>
      (await readHours(service.app, id, period)).map(({ hour: at }) => (at.getTime() - start) / hour);
    expect(await hoursIn()).to.deep.equal([3, 4]);
    await rollUp(id);
    expect(await hoursIn()).to.deep.equal([3, 4]);
  });

  it('has pending and failed entries beside it, each of them in one of the three', async () => {
    const { id } = await createScenario(service);
    await add(id, 1, [0]);
    await models().logBatch.collection.insertMany([
      buildStoredBatch(id, [], { state: 'queued', count: 30 }),
      buildStoredBatch(id, [], { state: 'queued', count: 4 }),
      buildStoredBatch(id, [], { state: 'failed', count: 5 }),
    ] as never[]);
    const { body } = await service.request('GET', `/api/v1/scenarios/${id}/metrics`);
    expect(body.totals).to.include({ logs: 1, pending_entries: 34, failed_entries: 5 });
    await rollUp(id);
    const after = await service.request('GET', `/api/v1/scenarios/${id}/metrics?from=2027-01-01`);
    expect(after.body.totals).to.include({ logs: 0, pending_entries: 34, failed_entries: 5 });
  });

  it('is counted by plans that are bounded by their batches, and by the levels of their hours', async () => {
    const { id } = await createScenario(service);
    for (let batch = 0; batch < 10; batch += 1) await storeBatches(models(), id, thousandHours(batch * 1_000));
    await storeBatches(models(), id, thousandHours(0));
    const before = await readHours({ ...service.app, maxUncounted: 20_000 }, id);
    expect(before).to.have.length(10_000);
    expect(await rollUp(id)).to.deep.equal({ counted: 11 });
    expect((await planOf(id))?.seq, 'the number of plans').to.equal(2);
    const after = await readHours(service.app, id);
    expect(after.length).to.equal(before.length);
    expect(after[0]?.logs).to.equal(2);
    expect(after.at(-1)).to.deep.equal(before.at(-1));

    const { id: levels } = await createScenario(service);
    for (let batch = 0; batch < 21; batch += 1) await storeBatches(models(), levels, levelsIn(125));
    expect(await rollUp(levels)).to.deep.equal({ counted: 21 });
    // Ten batches have 10,000 levels.
    expect((await planOf(levels))?.seq).to.equal(3);
    const hours = await readHours({ ...service.app, withLevels: true }, levels);
    expect(hours.flatMap((read) => Object.values(read.levels ?? {}))).to.have.length(125 * 8);
    expect(hours.every(({ levels: read = {} }) => Object.values(read).every(({ entries }) => entries === 21))).to.equal(
      true,
    );

    const { id: many } = await createScenario(service);
    await add(many, 1_001, [0]);
    expect(await rollUp(many)).to.deep.equal({ counted: 1_001 });
    expect((await planOf(many))?.seq).to.equal(2);
  });

  it('is read as sums of days, with the hours of the days that need them, and prices to the same', async () => {
    const { id } = await createScenario(service);
    const random = seededRandom(5);
    // More days than are read together, some with uncounted usage, some with nothing else.
    const hoursOf = (days: number, from: number) =>
      Array.from({ length: days }, (_, index) => (from + index) * 24 + randomInteger(random, 0, 23));
    await add(id, 2, hoursOf(500, 0));
    await rollUp(id);
    await add(id, 1, [...hoursOf(20, 100), ...hoursOf(5, 490), ...hoursOf(3, 520)]);

    const at = (hours: number) => new Date(start + hours * hour);
    const periods = [{}, { from: at(50 * 24 + 5), to: at(498 * 24 + 7) }, { from: at(510 * 24 + 3) }];
    const pages = [
      { interval: 'hour' as const, limit: 100 },
      { interval: 'hour' as const, limit: 100, cursor: start + 7_000 * hour },
      { interval: 'day' as const, limit: 2_000 },
      { limit: 10 },
    ];
    for (const period of periods) {
      const hours = await readHours(service.app, id, usageNeededFor(period));
      const pricing = { ...defaultPricing, ...period };
      const allHours = () => [hours].values() as never;
      for (const page of pages) {
        const options = { maxHours: 2_000, ...page };
        const priced = async (readDays: ReadDays) => {
          const { rows, ...cost } = await priceByPage(readDays, pricing, options);
          return { ...cost, rows: rows.map(presentRow) };
        };
        const paged = await readUsage(service.app, id, usageNeededFor(period), priced);
        const ofAllHours = await priced(allHours);
        expect(paged).to.deep.equal(ofAllHours);
      }
      const months = await readUsage(service.app, id, usageNeededFor(period), (readDays) =>
        sumMonths(readDays, period),
      );
      expect(months).to.deep.equal(await sumMonths(allHours, period));
    }
  });

  it('is read again from the first day when a roll-up overtakes the read', async () => {
    const { id } = await createScenario(service);
    const days = (year: number) => Array.from({ length: 120 }, (_, index) => year * 365 * 24 + index * 24);
    await add(id, 1, [...days(0), ...days(1)]);
    await rollUp(id);
    const readBeside = async (offset: number) => {
      let reads = 0;
      const logs = await readUsage(service.app, id, {}, async (readDays) => {
        reads += 1;
        let sum = 0;
        for await (const hours of readDays(() => 'hours')) {
          // Changes an hour that the read reaches later.
          if (sum === 0 && reads === 1) {
            await add(id, 1, [offset]);
            await rollUp(id);
          }
          for (const { logs: ofHour } of hours) sum += Number(ofHour);
        }
        return sum;
      });
      return { reads, logs };
    };
    // Two replies of the database are read before.
    const isHeld = { reads: 1, logs: 240 };
    expect(await readBeside((365 + 119) * 24), 'the latest hours are read first').to.deep.equal(isHeld);
    const far = await readBeside(365 * 24 + 24);
    expect(far.logs).to.equal(240 + far.reads);
  });

  it('is refused after five reads that roll-ups overtake', async () => {
    const { id } = await createScenario(service);
    await storeBatches(models(), id, thousandHours(0));
    await rollUp(id);
    let reads = 0;
    const refused = await readUsage(service.app, id, {}, async (readDays) => {
      reads += 1;
      for await (const hours of readDays(() => 'hours')) {
        if (hours[0] && firstHourOf(hours[0]).getTime() !== start) continue;
        await add(id, 1, [700]);
        await rollUp(id);
      }
    }).catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(AppError).with.property('code', 'SERVICE_UNAVAILABLE');
    expect(reads).to.equal(5);
  });

  it('is refused by every read if too many batches are not counted, until they are', async () => {
    const { id } = await createScenario(service);
    // A read takes 12,000.
    for (let batch = 0; batch < 13; batch += 1) await storeBatches(models(), id, thousandHours(batch * 1_000));
    const { id: other } = await createScenario(service);
    const ofScenario = ['', `?interval=day&from=${new Date(start).toISOString()}`, '/explain'];
    const reads = ofScenario.map((rest) => `${id}/metrics${rest}`);
    for (const path of [...reads, `${id}/charts/logs-over-time.svg`, `compare?ids=${id},${other}`]) {
      const refused = await service.request('GET', `/api/v1/scenarios/${path}`);
      expectError(refused, 503, 'SERVICE_UNAVAILABLE');
      expect(Number(refused.headers.get('Retry-After')), path).to.be.greaterThan(0);
    }
    const jobs = await service.app.queues['roll-up-usage'].queue.getJobs();
    expect(jobs.map(({ data }) => data.scenarioId)).to.include(id);
    // Reports have few attempts, and nothing waits for them.
    const hours = await readHours({ ...service.app, maxUncounted: 50_000 }, id);
    expect(hours).to.have.length(13_000);
    await rollUp(id);
    const metrics = await waitUntil('the refusal to end', async () => {
      const read = await service.request('GET', `/api/v1/scenarios/${id}/metrics`);
      return read.status === 200 && read;
    });
    expect(metrics.body.totals?.logs).to.equal(13_000);
  });

  it('is not counted for a deleted scenario, and removed', async () => {
    const { id } = await createScenario(service);
    await add(id, 3, [0]);
    await models().scenario.updateOne({ _id: id }, { $set: { deletedAt: new Date() } });
    expect(await rollUp(id)).to.deep.equal({ counted: 0 });
    expect(await planOf(id)).to.equal(null);
    expect(await models().logBatch.countDocuments({ scenarioId: id })).to.equal(0);
    expect(await countIds('usageHour', id)).to.equal(0);
    expect(await countIds('usageDay', id)).to.equal(0);
    const gone = await readHours(service.app, id).catch((error: unknown) => error);
    expect(gone).to.be.instanceOf(AppError).with.property('code', 'NOT_FOUND');
  });
});
