import { expect } from 'chai';
import { createRunningScenario, expectError, ingest, successOf } from '../support/requests.ts';
import { startTestService } from '../support/test-service.ts';

const levels = ['INFO', 'warning', undefined, '50', 'audit', 'info'];
const start = Date.UTC(2026, 2, 5, 10);

describe('counts by level', () => {
  const service = startTestService();

  it('counts are read by hour and by day, a page at a time', async () => {
    const { id } = await createRunningScenario(service);
    const entries = Array.from({ length: 600 }, (_, index) => ({
      message: 'x',
      timestamp: start + Math.floor(index / 300) * 3_600_000,
      level: levels[index % 6],
    }));
    expect((await ingest(service, id, entries)).status).to.equal(200);
    const path = `/api/v1/scenarios/${id}/metrics/levels`;
    const read = async (query: string) => (await successOf(service.request('GET', path + query))).body;
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
    const sum = { info: 200, warn: 100, error: 100, other: 100, none: 100 };
    const day = { start: '2026-03-05T00:00:00.000Z', logs: sum };
    expect(await read('?interval=day')).to.deep.include({ interval: 'day', rows: [day] });
    expect(await read('?from=2027-01-01')).to.deep.include({ rows: [], next: null });
    const refused = await service.request('GET', `${path}?limit=2001&interval=month`);
    expectError(refused, 400, 'VALIDATION_ERROR', ['interval', 'limit']);
  });
});
