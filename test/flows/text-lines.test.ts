import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { createRunningScenario, getMetrics } from '../support/requests.ts';
import { startTestService } from '../support/test-service.ts';

describe('lines of text', () => {
  const service = startTestService();

  /** Entries by hour, as `2026-03-05T10`. */
  async function hoursOf(id: string): Promise<Record<string, number>> {
    await service.request('POST', '/flush', { headers: { 'X-Scenario-ID': id } });
    const { timeseries } = await getMetrics(service, id, '?interval=hour');
    const counted = timeseries.filter(({ logs }: { logs: number }) => logs > 0);
    return Object.fromEntries(
      counted.map(({ hour, logs }: { hour: string; logs: number }) => [hour.slice(0, 13), logs]),
    );
  }

  it('lines are counted in their hour at both addresses, as text/plain and without a type', async () => {
    const body = Buffer.from('2026-03-05 10:00:00 [error] a\nb\n2026-03-05 11:30:00 c\n');
    for (const path of ['/ingest', '/ingest/{id}?answer=full&zone=Europe/Berlin&join=trace']) {
      for (const headers of [{ 'Content-Type': 'text/plain' }, {}]) {
        const { id } = await createRunningScenario(service);
        const response = await service.request('POST', path.replace('{id}', id), {
          body,
          headers: { 'X-Scenario-ID': id, ...headers },
        });
        expect(response.status, response.text).to.equal(200);
        const isJoined = path.includes('join');
        const levels = response.body.results.map(({ level }: { level: string | null }) => level);
        expect(levels).to.deep.equal(isJoined ? ['error', null] : ['error', null, null]);
        expect(await hoursOf(id)).to.deep.equal(
          isJoined ? { '2026-03-05T09': 1, '2026-03-05T10': 1 } : { '2026-03-05T10': 2, '2026-03-05T11': 1 },
        );
      }
    }
  });

  it('lines keep the time of their first arrival when the request is repeated', async () => {
    const { id } = await createRunningScenario(service);
    const repeat = () =>
      service.request('POST', `/ingest/${id}?answer=full`, {
        body: Buffer.from('2026-03-05 10:00:00 a\nb\n'),
        headers: { 'Content-Type': 'text/plain', 'Idempotency-Key': key },
      });
    const key = randomUUID();
    const first = await repeat();
    expect((await repeat()).text).to.equal(first.text);
    expect(await hoursOf(id)).to.deep.equal({ '2026-03-05T10': 2 });
  });
});
