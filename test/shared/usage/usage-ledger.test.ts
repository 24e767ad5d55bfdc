import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { BSON } from 'mongodb';
import { sumMonths } from '../../../shared/cost/monthly-usage.ts';
import { priceByPage } from '../../../shared/cost/paged-cost.ts';
import { hour } from '../../../shared/durations.ts';
import { AppError } from '../../../shared/errors.ts';
import { levelClasses } from '../../../shared/scenarios/level-class.ts';
import { seededRandom } from '../../../shared/seeded-random.ts';
import { packLevels } from '../../../shared/usage/packed-levels.ts';
import { startOfMonth, usageNeededFor } from '../../../shared/usage/periods.ts';
import { readUsage, readUsageByDay } from '../../../shared/usage/read-usage.ts';
import { type HourUsage, sumParts } from '../../../shared/usage/usage.ts';
import { retainedRollUpIds } from '../../../shared/usage/usage-ledger.model.ts';
import type { UsageModels } from '../../../shared/usage/usage-ledger.ts';
import type { UsageYear } from '../../../shared/usage/usage-year.model.ts';
import { rollUpUsageProcessor } from '../../../workers/usage/roll-up-usage.processor.ts';
import { isLongForm } from '../../support/long-form.ts';
import { mergeHours } from '../../support/merge-hours.ts';
import { randomInteger, shuffle } from '../../support/random-choices.ts';
import { readHours } from '../../support/read-hours.ts';
import { createScenario, expectError } from '../../support/requests.ts';
import { startTestService } from '../../support/test-service.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { buildEntryUsage, defaultPricing, usageOfEntries } from '../cost/build-usage.ts';

const start = Date.UTC(2026, 4, 1, 20);

/** Usage of one entry in each of the hours, which are counted from `start`. */
function oneEntryIn(...hours: number[]): HourUsage[] {
  return hours.map((offset) => ({
    hour: new Date(start + offset * hour),
    logs: 1n,
    sizeBytes: 10n,
    piiLogs: 0n,
    pii: [],
    queues: [{ type: 'standard', requests: 1n }],
    // Not exactly representable as a number.
    functions: [{ architecture: 'x86_64', invocations: 1n, mbMs: 9_007_199_254_740_993n, otherMemoryInvocations: 0n }],
    inference: [],
  }));
}

/** Usage of an entry of each level in so many hours. */
function levelsIn(hours: number): HourUsage[] {
  return usageOfEntries(
    Array.from({ length: 8 * hours }, (_, index) => ({
      usage: {
        ...buildEntryUsage({ sizeBytes: 10 }),
        hour: start + Math.floor(index / 8) * hour,
        level: levelClasses[index % 8]!,
        second: index % 3_600,
        outputTokens: null,
      },
    })),
  );
}

const firstAttempt = { number: 1, first: true, step: () => {}, reportProgress: () => {}, announceResult: () => {} };

describe('the usage of a scenario', () => {
  const service = startTestService({ workers: false });
  const models = () => service.app.models;

  const addRecords = async (scenarioId: string, count: number, hours: number[]) => {
    await models().usageRecord.collection.insertMany(
      Array.from({ length: count }, () => ({
        _id: randomUUID() as never,
        scenarioId,
        open: true,
        hours: oneEntryIn(...hours),
      })),
    );
  };
  const logsOf = async (scenarioId: string) =>
    (await readHours(service.app, scenarioId)).reduce((sum, { logs }) => sum + Number(logs), 0);
  const rollUp = (scenarioId: string) =>
    rollUpUsageProcessor.run({ scenarioId, requestId: randomUUID() }, service.app, firstAttempt);

  it('is exactly the same before and after a roll-up', async () => {
    const { id } = await createScenario(service);
    await addRecords(id, 7, [0, 3, 4, 30]);
    const before = await readHours(service.app, id);
    expect(before.map(({ hour: at, logs }) => [(at.getTime() - start) / hour, logs])).to.deep.equal([
      [0, 7n],
      [3, 7n],
      [4, 7n],
      [30, 7n],
    ]);
    expect(before[0]?.functions[0]?.mbMs).to.equal(7n * 9_007_199_254_740_993n);
    expect(await rollUp(id)).to.deep.equal({ merged: 7 });
    expect(await readHours(service.app, id)).to.deep.equal(before);
    expect(await models().usageDay.countDocuments({ scenarioId: id })).to.equal(3);
    expect(await models().usageRecord.countDocuments({ scenarioId: id, open: true })).to.equal(0);
    expect(await models().usageRecord.countDocuments({ scenarioId: id }), 'the emptied records stay').to.equal(7);
    expect(await rollUp(id)).to.deep.equal({ merged: 0 });

    await addRecords(id, 2, [3]);
    await rollUp(id);
    expect(await logsOf(id)).to.equal(30);
    expect(await models().usageDay.countDocuments({ scenarioId: id }), 'replaced days are removed').to.equal(3);
  });

  it('usage is read for a period', async () => {
    const { id } = await createScenario(service);
    await addRecords(id, 1, [0, 3, 4, 30]);
    const period = { from: new Date(start + 3 * hour), to: new Date(start + 30 * hour) };
    const hoursIn = async () =>
      (await readHours(service.app, id, period)).map(({ hour: at }) => (at.getTime() - start) / hour);
    expect(await hoursIn()).to.deep.equal([3, 4]);
    await rollUp(id);
    expect(await hoursIn()).to.deep.equal([3, 4]);
  });

  it('is consistent at every instant during concurrent writes and roll-ups', async () => {
    const { id } = await createScenario(service);
    const rounds = 25;
    const progress = { written: 0, writing: true };
    const writer = async () => {
      for (let round = 0; round < rounds; round += 1) {
        await addRecords(id, 20, [round % 30, 29]);
        progress.written += 40;
      }
      progress.writing = false;
    };
    const roller = async () => {
      while (progress.writing) await rollUp(id);
    };
    const reader = async () => {
      let reads = 0;
      while (progress.writing) {
        const atLeast = progress.written;
        const logs = await logsOf(id);
        // Includes every finished write, and at most the one in progress.
        expect(logs).to.be.within(atLeast, progress.written + 40);
        expect(logs % 2, 'a record counts as a whole').to.equal(0);
        reads += 1;
      }
      expect(reads).to.be.greaterThan(0);
    };
    await Promise.all([writer(), roller(), roller(), roller(), reader(), reader()]);
    await rollUp(id);
    expect(await logsOf(id)).to.equal(rounds * 40);
    expect(await models().usageRecord.countDocuments({ scenarioId: id, open: true })).to.equal(0);
  });

  it('counts records once if a roll-up is interrupted after its compare-and-set', async () => {
    const { id } = await createScenario(service);
    await addRecords(id, 3, [0]);
    await rollUp(id);
    await addRecords(id, 4, [0, 26]);
    const records = await models().usageRecord.find({ scenarioId: id, open: true }).lean();
    // The state after a crash right after the compare-and-set: the merged records are still
    // pending.
    await rollUp(id);
    await models().usageRecord.collection.updateMany(
      { _id: { $in: records.map(({ _id }) => _id as never) } },
      { $set: { open: true, hours: oneEntryIn(0, 26) } },
    );
    await models().usageLedger.updateOne({ _id: id }, { $set: { covered: records.map(({ _id }) => _id) } });
    expect(await logsOf(id)).to.equal(11);
    await rollUp(id);
    expect(await logsOf(id)).to.equal(11);
  });

  it('is merged in portions that are bounded by their hours', async () => {
    const { id } = await createScenario(service);
    const hoursOf = (record: number) => Array.from({ length: 1_000 }, (_, index) => record * 1_000 + index);
    for (let record = 0; record < 12; record += 1) await addRecords(id, 1, hoursOf(record));
    await addRecords(id, 1, hoursOf(0));
    const before = await readHours(service.app, id);
    expect(before).to.have.length(12_000);
    expect(await rollUp(id)).to.deep.equal({ merged: 13 });
    const ledger = await models().usageLedger.findById(id).lean();
    expect(ledger?.version, 'the number of portions').to.equal(2);
    expect(await models().usageDay.countDocuments({ scenarioId: id })).to.equal(501);
    expect(ledger?.years?.map(({ year }) => new Date(year).getUTCFullYear())).to.deep.equal([2026, 2027]);
    const after = await readHours(service.app, id);
    expect(after.length).to.equal(before.length);
    expect(after[0]?.logs).to.equal(2n);
    expect(after.at(-1)).to.deep.equal(before.at(-1));
  });

  it('is read as sums of days, with the hours of the days that need them, and prices to the same', async () => {
    const { id } = await createScenario(service);
    const random = seededRandom(5);
    // More days than are read together and held, some with pending usage, some with nothing else.
    const hoursOf = (days: number, from: number) =>
      Array.from({ length: days }, (_, index) => (from + index) * 24 + randomInteger(random, 0, 23));
    await addRecords(id, 2, hoursOf(300, 0));
    await rollUp(id);
    await addRecords(id, 1, [...hoursOf(20, 100), ...hoursOf(5, 290), ...hoursOf(3, 320)]);
    const days = await models().usageDay.find({ scenarioId: id }).lean();
    for (const { sum, hours } of days)
      expect(Number(sum.logs)).to.equal(hours.reduce((all, { logs }) => all + Number(logs), 0));

    const at = (hours: number) => new Date(start + hours * hour);
    const periods = [{}, { from: at(50 * 24 + 5), to: at(298 * 24 + 7) }, { from: at(310 * 24 + 3) }];
    const pages = [
      { interval: 'hour' as const, limit: 100 },
      { interval: 'hour' as const, limit: 100, cursor: start + 7_000 * hour },
      { interval: 'day' as const, limit: 2_000 },
      { limit: 10 },
    ];
    for (const period of periods) {
      const hours = await readHours(service.app, id, usageNeededFor(period));
      const pricing = { ...defaultPricing, ...period };
      for (const page of pages) {
        const options = { maxHours: 2_000, ...page };
        const paged = await readUsageByDay(service.app, id, usageNeededFor(period), (readDays) =>
          priceByPage(readDays, pricing, options, (bucket) => bucket),
        );
        const ofAllHours = await priceByPage(
          () => [hours].values() as never,
          pricing,
          options,
          (bucket) => bucket,
        );
        expect(paged).to.deep.equal(ofAllHours);
      }
      const months = await readUsageByDay(service.app, id, usageNeededFor(period), (readDays) =>
        sumMonths(readDays, period),
      );
      expect(months).to.deep.equal(await sumMonths(() => [hours].values() as never, period));
    }
  });

  it('is summed by month for the months that a roll-up changes', async () => {
    const { id } = await createScenario(service);
    const day = 24;
    const stored = async () => {
      const { collection } = models().usageYear;
      const lists = await collection.find<UsageYear>({ scenarioId: id }, { useBigInt64: true }).toArray();
      return lists.flatMap(({ months }) => months).sort((a, b) => a.hour.getTime() - b.hour.getTime());
    };
    const summed = async () => {
      const hours = await readHours(service.app, id);
      const starts = new Set(hours.map(({ hour: at }) => startOfMonth(at)));
      return [...starts].map((month) => sumParts(hours.filter(({ hour: at }) => startOfMonth(at) === month)));
    };
    // 1 to 31 May, 1 June, 1 May of the next year.
    await addRecords(id, 2, [0, 3, 7 * day, 30 * day, 31 * day, 365 * day]);
    await rollUp(id);
    expect(await stored()).to.deep.equal(await summed());
    await addRecords(id, 1, [7 * day + 1, 8 * day, 45 * day]);
    await rollUp(id);
    expect(await stored()).to.deep.equal(await summed());
    await addRecords(id, 1, [1]);
    await rollUp(id);
    expect(await stored()).to.deep.equal(await summed());
  });

  it('is read again from the first day when a roll-up overtakes the read', async () => {
    const { id } = await createScenario(service);
    const days = (year: number) => Array.from({ length: 120 }, (_, index) => year * 365 * 24 + index * 24);
    await addRecords(id, 1, [...days(0), ...days(1)]);
    await rollUp(id);
    let reads = 0;
    const logs = await readUsage(service.app, id, {}, async (read) => {
      reads += 1;
      let sum = 0n;
      for await (const hours of read) {
        // Replaces a day that the read reaches later.
        if (sum === 0n && reads === 1) {
          await addRecords(id, 1, [(365 + 85) * 24]);
          await rollUp(id);
        }
        for (const hour of hours) sum += hour.logs;
      }
      return sum;
    });
    expect({ reads, logs }).to.deep.equal({ reads: 2, logs: 241n });
    const held = await readUsage(service.app, id, {}, async (read) => {
      // The last days are held from the start of the read.
      let sum = 0n;
      for await (const hours of read) {
        if (sum === 0n) {
          await addRecords(id, 1, [(365 + 119) * 24]);
          await rollUp(id);
        }
        for (const hour of hours) sum += hour.logs;
      }
      return sum;
    });
    expect(held, 'the usage of the instant at which the read began').to.equal(241n);
  });

  it('is requested from the database before the days that precede it are consumed', async () => {
    const { id } = await createScenario(service);
    await addRecords(
      id,
      1,
      Array.from({ length: 140 }, (_, index) => index * 24),
    );
    await rollUp(id);
    const { collection } = models().usageDay;
    const requested: number[] = [];
    const usageDay = {
      collection: {
        find: (filter: { _id: { $in: string[] } }, options: object) => {
          requested.push(filter._id.$in.length);
          return collection.find(filter as never, options);
        },
      },
    } as unknown as UsageModels['usageDay'];
    const deps = { ...service.app, models: { ...models(), usageDay }, withLevels: true };
    const requestedBefore = await readUsage(deps, id, {}, async (days) => {
      const counts: number[] = [];
      for await (const _ of days) counts.push(requested.length);
      return counts;
    });
    expect(requestedBefore).to.have.length(140);
    // The first days and the last ones, then those between them.
    expect(requested).to.deep.equal([25, 31, 25, 25, 25, 9]);
    expect([0, 24, 25, 50, 75, 139].map((day) => requestedBefore[day])).to.deep.equal([3, 3, 4, 5, 6, 6]);
  });

  it('is read again when another roll-up has set the same version after a failover', async () => {
    const { id } = await createScenario(service);
    const { collection } = models().usageLedger;
    const filter = { _id: id as never };
    await addRecords(id, 1, [-366 * 24]);
    await rollUp(id);
    const undone = await collection.findOne(filter);
    // A failover undoes a version that no majority has.
    await collection.deleteOne(filter);
    await addRecords(id, 1, [0]);
    await rollUp(id);
    expect(await collection.findOne(filter)).to.include({ version: undone?.['version'] });

    const replies = [undone];
    const usageLedger = {
      collection: { findOne: async (...query: [object]) => replies.shift() ?? collection.findOne(...query) },
    } as unknown as UsageModels['usageLedger'];
    const deps = { ...service.app, models: { ...models(), usageLedger } };
    const logs = await readUsage(deps, id, { from: new Date(start) }, async (days) => {
      let sum = 0n;
      for await (const hours of days) for (const hour of hours) sum += hour.logs;
      return sum;
    });
    expect(logs).to.equal(1n);
  });

  /** Adds a pending record. */
  const addLevels = async (scenarioId: string, hours: HourUsage[]) => {
    const record = { _id: randomUUID() as never, scenarioId, open: true, ...packLevels(hours) };
    await models().usageRecord.collection.insertOne(record);
  };

  /** Adds pending records with 1,000 hours each. */
  const addLargeRecords = async (scenarioId: string, count: number, isSameHours: boolean) => {
    for (let record = 0; record < count; record += 1) {
      const first = isSameHours ? 0 : record * 1_000;
      await addRecords(
        scenarioId,
        1,
        Array.from({ length: 1_000 }, (_, index) => first + index),
      );
    }
  };

  for (const isSameHours of isLongForm ? [false, true] : [false]) {
    const which = isSameHours ? 'of the same hours' : 'of different hours';
    it(`is refused by every read if too many records ${which} are pending, until they are rolled up`, async () => {
      const { id } = await createScenario(service);
      await addLargeRecords(id, 30, isSameHours);
      const { id: other } = await createScenario(service);
      const others = [
        `${id}/metrics?interval=day&from=${new Date(start).toISOString()}`,
        `${id}/metrics/explain`,
        `${id}/projection`,
        `${id}/estimate?region=us-east-1`,
        `${id}/charts/logs-over-time.svg`,
        `compare?ids=${id},${other}`,
      ];
      for (const path of [`${id}/metrics`, ...(isSameHours ? [] : others)]) {
        const refused = await service.request('GET', `/api/v1/scenarios/${path}`);
        expectError(refused, 503, 'SERVICE_UNAVAILABLE');
        expect(Number(refused.headers.get('Retry-After')), path).to.be.greaterThan(0);
      }
      const jobs = await service.app.queues['roll-up-usage'].queue.getJobs();
      expect(jobs.map(({ data }) => data.scenarioId)).to.include(id);
      // Reports have few attempts, and nothing waits for them.
      const patient = { ...service.app, maxPendingBytes: 24 * 1024 * 1024 };
      const hours = await readUsage(patient, id, {}, async (days) => {
        let count = 0;
        for await (const day of days) count += day.length;
        return count;
      });
      expect(hours).to.equal(isSameHours ? 1_000 : 30_000);
      await rollUp(id);
      const metrics = await waitUntil('the refusal to end', async () => {
        const read = await service.request('GET', `/api/v1/scenarios/${id}/metrics`);
        return read.status === 200 && read;
      });
      expect(metrics.body.totals?.logs).to.equal(30_000);
    });
  }

  it('is refused if roll-ups overtake a read until it has read too many pending records', async () => {
    const { id } = await createScenario(service);
    await addRecords(id, 1, [0]);
    await rollUp(id);
    await addLargeRecords(id, 9, true);
    let reads = 0;
    const read = readUsage(service.app, id, {}, async (days) => {
      reads += 1;
      // A roll-up in progress changes the ledger while the pending records are read.
      const overtaking = models().usageLedger.updateOne({ _id: id }, { $inc: { version: 1 } });
      for await (const _ of days) await overtaking;
      await overtaking;
      throw new Error('not overtaken');
    });
    await read.catch((error: unknown) => error);
    expect(reads).to.be.lessThan(4);
  });

  it('has no document that grows with the number of days', () => {
    const ids = (length: number) => Array.from({ length }, () => randomUUID());
    const largest = {
      _id: randomUUID(),
      version: 1_000_000,
      years: Array.from({ length: 130 }, (_, year) => ({ year: Date.UTC(1970 + year), usageYearId: randomUUID() })),
      covered: ids(500),
      replaced: ids(1_000 + 130),
      rollUpIds: ids(retainedRollUpIds),
    };
    expect(BSON.calculateObjectSize(largest)).to.be.lessThan(100_000);
    const days = ids(366).map((usageDayId, index) => ({ day: start + index * 24 * hour, usageDayId }));
    expect(BSON.calculateObjectSize({ _id: '', days })).to.be.lessThan(100_000);
  });

  it('is merged in portions that are bounded by the levels of their hours', async () => {
    const { id } = await createScenario(service);
    for (let record = 0; record < 21; record += 1) await addLevels(id, levelsIn(125));
    expect(await rollUp(id)).to.deep.equal({ merged: 21 });
    // Ten records have 10,000 levels.
    expect((await models().usageLedger.findById(id).lean())?.version, 'the number of portions').to.equal(3);
    const hours = await readHours({ ...service.app, withLevels: true }, id);
    expect(hours.flatMap(({ levels = [] }) => levels)).to.have.length(125 * 8);
    expect(hours.every(({ levels }) => levels?.every(({ entries }) => entries === 21n))).to.equal(true);
  });

  it('has the same levels in whatever order and portions records are merged, also with those without', async () => {
    const random = seededRandom(9);
    const parts = Array.from({ length: 12 }, (_, index) =>
      index % 3 === 0 ? oneEntryIn(0, 1, 26) : levelsIn(randomInteger(random, 1, 30)),
    );
    const expected = mergeHours(parts.flat());
    for (let round = 0; round < 3; round += 1) {
      const { id } = await createScenario(service);
      for (const part of shuffle(random, parts)) {
        await addLevels(id, part);
        if (random() < 0.3) await rollUp(id);
      }
      expect(await readHours({ ...service.app, withLevels: true }, id)).to.deep.equal(expected);
    }
  });

  it('usage with levels is refused if a third as many bytes are pending', async () => {
    const { id } = await createScenario(service);
    await addLevels(id, levelsIn(125));
    const [record] = await models().usageRecord.collection.find({ scenarioId: id }, { raw: true }).toArray();
    const bytes = (record as unknown as Uint8Array).length;
    const withLevels = { ...service.app, withLevels: true };
    expect(await readHours({ ...withLevels, maxPendingBytes: 3 * bytes }, id)).to.have.length(125);
    const refused = await readHours({ ...withLevels, maxPendingBytes: 3 * bytes - 3 }, id).catch(
      (error: unknown) => error,
    );
    expect(refused).to.be.instanceOf(AppError).with.property('code', 'SERVICE_UNAVAILABLE');
    expect(await readHours({ ...service.app, maxPendingBytes: bytes }, id)).to.have.length(125);
  });

  it('is merged in portions that are bounded by their days', async () => {
    const { id } = await createScenario(service);
    const everySecondDay = (offset: number) => Array.from({ length: 350 }, (_, index) => (2 * index + offset) * 24);
    for (let record = 0; record < 4; record += 1) await addRecords(id, 1, everySecondDay(record * 700));
    await addRecords(id, 1, everySecondDay(1));
    expect(await rollUp(id)).to.deep.equal({ merged: 5 });
    // Two records have 700 days, a third would make them 1,050.
    expect((await models().usageLedger.findById(id).lean())?.version, 'the number of portions').to.equal(3);
    expect(await logsOf(id)).to.equal(5 * 350);
  });

  it('is not merged for a deleted scenario', async () => {
    const { id } = await createScenario(service);
    await addRecords(id, 3, [0]);
    await models().scenario.updateOne({ _id: id }, { $set: { deletedAt: new Date() } });
    expect(await rollUp(id)).to.deep.equal({ merged: 0 });
    expect(await models().usageLedger.countDocuments({ _id: id })).to.equal(0);
    expect(await models().usageDay.countDocuments({ scenarioId: id })).to.equal(0);
  });
});
