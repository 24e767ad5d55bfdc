import { expect } from 'chai';
import { type LevelClass, levelClasses } from '../../shared/scenarios/pipeline.ts';
import type { HourUsage } from '../../shared/usage/usage.ts';
import { secondsOf } from '../shared/cost/build-usage.ts';
import { readHours } from '../support/read-hours.ts';
import { createRunningScenario, ingest } from '../support/requests.ts';
import { isRolledUp } from '../support/stored-batches.ts';
import { startTestService } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

const start = Date.UTC(2026, 2, 5, 10);
const levels = ['INFO', 'warning', undefined, '50', 'audit', 'info'];
const model = 'amazon.nova-lite-v1:0';

/** Over two hours, each second entry in the second of the one before. */
const entries = Array.from({ length: 600 }, (_, index) => ({
  message: 'x'.repeat(index === 0 ? 70_000 : 10),
  timestamp: new Date(start + Math.floor(index / 2) * 24_000).toISOString(),
  ...(levels[index % 6] === undefined ? {} : { level: levels[index % 6] }),
  usage: { model, input_tokens: 3, ...(index % 3 === 0 ? { output_tokens: 2 } : {}) },
}));

const classOf: LevelClass[] = ['info', 'warn', 'none', 'error', 'other', 'info'];

function expectedLevels(hour: number): HourUsage['levels'] {
  const inHour = entries.flatMap((entry, index) =>
    Math.floor((Date.parse(entry.timestamp) - start) / 3_600_000) === hour ? [{ index, entry }] : [],
  );
  return levelClasses.flatMap((level) => {
    const of = inHour.filter(({ index }) => classOf[index % 6] === level);
    if (of.length === 0) return [];
    const reported = of.filter(({ index }) => index % 3 === 0).length;
    return [
      {
        level,
        entries: BigInt(of.length),
        sizeBytes: BigInt(of.reduce((sum, { entry }) => sum + entry.message.length, 0)),
        chunks: BigInt(of.length + of.filter(({ index }) => index === 0).length),
        functions: [{ architecture: 'arm64' as const, mbMs: BigInt(of.length * 128 * 100) }],
        inference: [
          {
            model,
            entries: BigInt(of.length),
            inputTokens: BigInt(3 * of.length),
            outputTokens: BigInt(2 * reported),
            entriesWithoutOutput: BigInt(of.length - reported),
          },
        ],
        seconds: secondsOf(...of.map(({ entry }) => ((Date.parse(entry.timestamp) - start) / 1_000) % 3_600)),
      },
    ];
  });
}

describe('counts by level', () => {
  const service = startTestService();
  const assumptions = { function: { architecture: 'arm64' } };
  const readLevels = async (id: string) => readHours({ ...service.app, withLevels: true }, id);

  for (const size of [600, 97]) {
    it(`counts of entries in batches of ${size} are exact while they are pending and once they are merged`, async () => {
      const { id } = await createRunningScenario(service, { assumptions });
      for (let at = 0; at < entries.length; at += size) {
        const { status, text } = await ingest(service, id, entries.slice(at, at + size));
        expect(status, text).to.equal(200);
      }
      const check = async () => {
        const hours = await readLevels(id);
        expect(hours.map(({ hour, logs }) => [hour.getTime(), logs])).to.deep.equal([
          [start, 300n],
          [start + 3_600_000, 300n],
        ]);
        for (const [index, hour] of hours.entries()) expect(hour.levels).to.deep.equal(expectedLevels(index));
      };
      await check();
      await waitUntil('the roll-up', () => isRolledUp(service.app.models, id));
      await check();
      const [plain] = await readHours(service.app, id);
      expect(plain).not.to.have.property('levels');
    });
  }

  it('counts are read by hour and by day, a page at a time', async () => {
    const { id } = await createRunningScenario(service, { assumptions });
    expect((await ingest(service, id, entries)).status).to.equal(200);
    const read = async (query: string) => {
      const { status, body, text } = await service.request('GET', `/api/v1/scenarios/${id}/metrics/levels${query}`);
      expect(status, text).to.equal(200);
      return body;
    };
    const logs = { info: 100, warn: 50, error: 50, other: 50, none: 50 };
    const [first, second] = ['2026-03-05T10:00:00.000Z', '2026-03-05T11:00:00.000Z'];
    const hours = [
      { start: first, logs },
      { start: second, logs },
    ];
    expect(await read('')).to.deep.equal({ scenario_id: id, interval: 'hour', rows: hours, next: null });
    expect(await read('?limit=1')).to.deep.include({ rows: hours.slice(0, 1), next: second });
    expect(await read(`?limit=1&from=${second}`)).to.deep.include({ rows: hours.slice(1), next: null });
    expect(await read(`?to=${second}`)).to.deep.include({ rows: hours.slice(0, 1), next: null });
    const sum = Object.fromEntries(Object.entries(logs).map(([level, entries]) => [level, 2 * entries]));
    const day = { start: '2026-03-05T00:00:00.000Z', logs: sum };
    expect(await read('?interval=day')).to.deep.include({ interval: 'day', rows: [day] });
    expect(await read('?from=2027-01-01')).to.deep.include({ rows: [], next: null });
    const refused = await service.request('GET', `/api/v1/scenarios/${id}/metrics/levels?limit=2001&interval=month`);
    expect(refused.status).to.equal(400);
    expect(refused.body.error.details.map(({ field }: { field: string }) => field)).to.have.members([
      'limit',
      'interval',
    ]);
  });
});
