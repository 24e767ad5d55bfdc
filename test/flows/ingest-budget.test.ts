import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { createRateLimiter } from '../../api/http/access/rate-limiter.ts';
import { createIngestBudget } from '../../api/ingest/ingest-budget.ts';
import { day } from '../../shared/durations.ts';
import { AppError } from '../../shared/errors.ts';
import { createAccount } from '../support/accounts.ts';
import { encode, exportLogs, requestOf, textRecord } from '../support/otlp.ts';
import { createRunningScenario, expectError, getMetrics } from '../support/requests.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

const gzip = { 'Content-Type': 'text/plain', 'Content-Encoding': 'gzip' };
const packed = (text: string) => new Uint8Array(gzipSync(text, { level: 9 }));

const dateOf = (index: number) => new Date(index * day).toISOString();
const nanosecondsOf = (index: number) => String(BigInt(index + 1) * BigInt(day) * 1_000_000n);

const send = (service: TestService, id: string, body: Uint8Array, headers: Record<string, string> = {}) =>
  service.request('POST', `/ingest/${id}`, { body, headers: { ...gzip, ...headers } });

describe('what requests with log entries cost', () => {
  const service = startTestService({ workers: false });
  // Two requests of 79,001 entries cost more.
  const limited = startTestService({ workers: false, environment: { RATE_LIMIT_INGEST_BYTES: '30000000' } });

  it('the packed size of a request does not matter: 2 MiB of identical lines are accepted', async () => {
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

  it('the cost limits a caller of small bodies with very many entries, before they are parsed, and no other caller', async () => {
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

  it('refuses entries of many days shortly after those of very many, of this caller and in every format', async () => {
    const { id } = await createRunningScenario(service);
    const { headers } = await createAccount(service);
    const sendDays = (count: number, from: Record<string, string> = {}) => {
      const entries = Array.from({ length: count }, (_, index) =>
        JSON.stringify({ message: 'a', time: dateOf(index) }),
      );
      return send(service, id, packed(entries.join('\n')), { 'Content-Type': 'application/x-ndjson', ...from });
    };
    const many = await sendDays(40_000, headers);
    expect([many.status, many.body.accepted]).to.deep.equal([200, 40_000]);
    expect((await sendDays(31, headers)).status, 'days of a month').to.equal(200);
    expect((await sendDays(32)).status, 'of another caller').to.equal(200);
    const refused = await sendDays(32, headers);
    expectError(refused, 429, 'RATE_LIMITED');
    expect(refused.body.error.message).to.contain('Log entries of too many days');
    expect(Number(refused.headers.get('Retry-After'))).to.be.within(4, 80);
    await waitUntil('the end of the pause', async () => (await sendDays(1, headers)).status === 200);
    const records = Array.from({ length: 32 }, (_, index) => ({
      ...textRecord('a'),
      timeUnixNano: nanosecondsOf(index),
    }));
    const otlp = encode(requestOf(records), 'json');
    expect((await exportLogs(service, id, otlp, 'json', { headers })).status).to.equal(429);
  });

  it('delays entries of many days until the days of earlier requests of the caller are over', async () => {
    const { config, redis, metrics } = service.app;
    const limiter = { redis, prefix: `${config.redisPrefix}:days`, refusals: metrics.rateLimitRefusals };
    const budget = createIngestBudget({ config, rateLimiter: createRateLimiter(limiter) });
    const open = () => budget.open({ limitKey: 'a caller of many days' });
    const days = (length: number) => Array.from({ length }, (_, index) => ({ timestamp: index * day }));
    const [first, second, third, fourth] = [open(), open(), open(), open()];
    const start = performance.now();
    await first.waitForDays(days(131));
    const waits = [second.waitForDays(days(20_000)), third.waitForDays(days(32))];
    const [, refused] = await Promise.allSettled(waits);
    // Each of two timers ends up to a millisecond early.
    expect(performance.now() - start).to.be.at.least(198);
    expect(refused).to.have.nested.property('reason.code', 'RATE_LIMITED');
    await fourth.waitForDays([...days(31), ...days(31)]);
  });

  it('costs count in all processes, and those of requests in progress are limited too', async () => {
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
