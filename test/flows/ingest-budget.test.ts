import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
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
  // Two requests of 7,901 entries cost more.
  const limited = startTestService({ workers: false, environment: { RATE_LIMIT_INGEST_BYTES: '3000000' } });

  it('the packed size of a request does not matter: identical lines are accepted', async () => {
    const { id } = await createRunningScenario(service);
    const line = `${'x'.repeat(199)}\n`;
    const lines = 2_000;
    const body = packed(line.repeat(lines));
    expect((lines * line.length) / body.length).to.be.greaterThan(200);
    const response = await send(service, id, body);
    expect([response.status, response.body.accepted]).to.deep.equal([200, lines]);
    await service.startWorkers();
    expect((await service.request('POST', '/flush')).status).to.equal(200);
    expect((await getMetrics(service, id)).totals.logs).to.equal(lines);
    await service.stopWorkers();
  });

  it('the unpacked bytes and the number of entries limit a caller for the minute, and no other caller', async () => {
    const { id } = await createRunningScenario(limited);
    const attack = packed('\n'.repeat(7_901));
    expect(attack.length).to.be.lessThan(100);
    const { headers: attacker } = await createAccount(limited);
    let accepted = 0;
    await waitUntil('a refusal', async () => {
      const response = await send(limited, id, attack, attacker);
      if (response.status === 200) accepted += 1;
      else {
        expectError(response, 429, 'RATE_LIMITED');
        expect(Number(response.headers.get('Retry-After'))).to.be.within(1, 60);
      }
      return response.status === 429;
    });
    expect(accepted).to.be.within(1, 3);
    const otlp = encode(requestOf([textRecord('a')]), 'json');
    expect((await exportLogs(limited, id, otlp, 'json', { headers: attacker })).status).to.equal(429);
    const honest = await send(limited, id, packed('line\n'.repeat(10)));
    expect([honest.status, honest.body.accepted]).to.deep.equal([200, 10]);
  });
});
