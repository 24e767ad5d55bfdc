import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { createRateLimiter } from '../../api/http/access/rate-limiter.ts';
import { createIngestBudget } from '../../api/ingest/ingest-budget.ts';
import { AppError } from '../../shared/errors.ts';
import { createAccount } from '../support/accounts.ts';
import { encode, exportLogs, requestOf, textRecord } from '../support/otlp.ts';
import { createRunningScenario, expectError, getMetrics } from '../support/requests.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

const gzip = { 'Content-Type': 'text/plain', 'Content-Encoding': 'gzip' };
const packed = (text: string) => new Uint8Array(gzipSync(text, { level: 9 }));

const send = (service: TestService, id: string, body: Uint8Array, headers: Record<string, string> = {}) =>
  service.request('POST', `/ingest/${id}`, { body, headers: { ...gzip, ...headers } });

describe('what requests with log entries cost', () => {
  const service = startTestService({ workers: false });
  // Two requests of 79,001 entries cost more.
  const limited = startTestService({ workers: false, environment: { RATE_LIMIT_INGEST_BYTES: '30000000' } });

  it('is no matter of their packed size: 2 MiB of identical lines are accepted', async () => {
    const { id } = await createRunningScenario(service);
    const line = `${'x'.repeat(199)}\n`;
    const lines = Math.floor((2 * 1024 * 1024) / line.length);
    const body = packed(line.repeat(lines));
    expect((lines * line.length) / body.length).to.be.greaterThan(200);
    const response = await send(service, id, body);
    expect([response.status, response.body.accepted]).to.deep.equal([200, lines]);
    await service.startWorkers();
    expect((await service.request('POST', '/flush')).status).to.equal(200);
    expect((await getMetrics(service, id)).totals.logs).to.equal(lines);
    await service.stopWorkers();
  });

  it('limits a caller of small bodies with very many entries, before they are parsed, and no other caller', async () => {
    const { id } = await createRunningScenario(limited);
    const attack = packed('\n'.repeat(79_001));
    expect(attack.length).to.be.lessThan(300);
    const { headers: attacker } = await createAccount(limited);
    const responses = await Promise.all(Array.from({ length: 20 }, () => send(limited, id, attack, attacker)));
    const accepted = responses.filter(({ status }) => status === 200);
    expect(accepted).to.have.length.within(1, 2);
    for (const response of responses.filter(({ status }) => status !== 200)) expectError(response, 429, 'RATE_LIMITED');
    await waitUntil('the end of the minute to be awaited', async () => {
      const response = await send(limited, id, attack, attacker);
      if (response.status === 429) expectError(response, 429, 'RATE_LIMITED');
      return Number(response.headers.get('Retry-After')) > 1;
    });
    const otlp = encode(requestOf([textRecord('a')]), 'json');
    expect((await exportLogs(limited, id, otlp, 'json', { headers: attacker })).status).to.equal(429);
    const honest = await send(limited, id, packed('line\n'.repeat(10)));
    expect([honest.status, honest.body.accepted]).to.deep.equal([200, 10]);
  });

  it('counts in all processes, and what is in progress is limited too', async () => {
    const { redis, config, metrics } = service.app;
    const limiter = { redis, prefix: `${config.redisPrefix}:costs`, refusals: metrics.rateLimitRefusals };
    const ingest = { ...config.ingest, maxBytes: 1000, maxCostPerMinute: 100_000 };
    const [one, other] = [1, 2].map(() =>
      createIngestBudget({ config: { ...config, ingest }, rateLimiter: createRateLimiter(limiter) }),
    ) as [ReturnType<typeof createIngestBudget>, ReturnType<typeof createIngestBudget>];
    const caller = { limitKey: 'a caller' };
    const refusal = (work: () => unknown) => {
      try {
        work();
      } catch (error) {
        if (error instanceof AppError) return error.code;
      }
      return null;
    };
    const first = one.open(caller);
    const second = one.open(caller);
    first.add(0, 50);
    expect(
      refusal(() => second.add(5000, 0)),
      'beside 50 entries',
    ).to.equal('RATE_LIMITED');
    expect(refusal(() => one.open({ limitKey: 'another caller' }).add(5000, 0))).to.equal(null);
    first.end();
    expect(
      refusal(() => second.add(100_000, 0)),
      'a lone request',
    ).to.equal(null);
    second.end();
    // An entry costs 200 bytes.
    expect(50 * 200 + 100_000).to.be.greaterThan(ingest.maxCostPerMinute);
    expect(
      refusal(() => one.open(caller)),
      'the minute is used up',
    ).to.equal('RATE_LIMITED');
    // A charge of a process brings what the others have charged.
    await waitUntil('the other process to know', async () => {
      expect(refusal(() => one.open(caller))).to.equal('RATE_LIMITED');
      const code = refusal(() => {
        const cost = other.open(caller);
        cost.add(1, 0);
        cost.end();
      });
      return code === 'RATE_LIMITED';
    });
  });
});
