import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { createAccount } from '../support/accounts.ts';
import { encode, exportLogs, requestOf, textRecord } from '../support/otlp.ts';
import { createRunningScenario, expectError } from '../support/requests.ts';
import { startTestService } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

describe('what requests with log entries cost', () => {
  // Two requests of 7,901 entries cost more.
  const service = startTestService({ workers: false, environment: { RATE_LIMIT_INGEST_BYTES: '3000000' } });
  const send = (id: string, text: string, headers: Record<string, string> = {}) =>
    service.request('POST', `/ingest/${id}`, {
      body: gzipSync(text, { level: 9 }),
      headers: { 'Content-Type': 'text/plain', 'Content-Encoding': 'gzip', ...headers },
    });

  it('the unpacked bytes and the number of entries limit a caller for the minute, and no other caller', async () => {
    const { id } = await createRunningScenario(service);
    const { headers: attacker } = await createAccount(service);
    let accepted = 0;
    await waitUntil('a refusal', async () => {
      const response = await send(id, '\n'.repeat(7_901), attacker);
      if (response.status === 200) accepted += 1;
      else {
        expectError(response, 429, 'RATE_LIMITED');
        expect(Number(response.headers.get('Retry-After'))).to.be.within(1, 60);
      }
      return response.status === 429;
    });
    expect(accepted).to.be.within(1, 3);
    const otlp = encode(requestOf([textRecord('a')]), 'json');
    expect((await exportLogs(service, id, otlp, 'json', { headers: attacker })).status).to.equal(429);
    const honest = await send(id, 'line\n'.repeat(10));
    expect([honest.status, honest.body.accepted]).to.deep.equal([200, 10]);
  });
});
