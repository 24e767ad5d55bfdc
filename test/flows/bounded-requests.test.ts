import { randomBytes } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { createAccount } from '../support/accounts.ts';
import { createRunningScenario, expectError, ingest } from '../support/requests.ts';
import { startTestService } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

describe('bounded requests', () => {
  const service = startTestService({
    workers: false,
    config: { maxWaitingRequests: 3, maxBodyMemoryBytes: 4 * 1024 * 1024 },
  });
  afterEach(() => service.stopWorkers());
  const noWait = { Prefer: 'respond-async' };
  const gzip = { 'Content-Encoding': 'gzip' };

  it('a bounded number of requests of a caller waits, and more are refused until one gets its response', async () => {
    const { id } = await createRunningScenario(service);
    expect((await ingest(service, id, { message: 'not processed' }, { headers: noWait })).status).to.equal(202);
    const [one, other] = [await createAccount(service), await createAccount(service)];
    const flush = (headers: Record<string, string>) => service.request('POST', '/flush', { headers });
    const sent = [1, 2, 3, 4].map(() => flush(one.headers));
    const refused = await Promise.race(sent);
    expectError(refused, 503, 'SERVICE_UNAVAILABLE');
    expect(refused.body.error.message).to.contain('of this caller are waiting');
    expect(refused.headers.get('Retry-After')).to.equal('1');
    const elsewhere = flush(other.headers);
    await service.startWorkers();
    const responses = await Promise.all([...sent, elsewhere]);
    expect(responses.map(({ status }) => status)).to.have.members([200, 200, 200, 503, 200]);
    expect((await flush(one.headers)).status).to.equal(200);
  });

  it('a bounded number of ingest requests of a caller waits, and more get 202 at once', async () => {
    const { id } = await createRunningScenario(service);
    const sent = Array.from({ length: 5 }, (_, index) => ingest(service, id, { message: `line ${index}` }));
    const first = await Promise.race(sent);
    expect([first.status, first.headers.get('Preference-Applied')]).to.deep.equal([202, null]);
    await service.startWorkers();
    const responses = await Promise.all(sent);
    expect(responses.map(({ status }) => status)).to.have.members([200, 200, 200, 202, 202]);
    expect((await ingest(service, id, { message: 'afterwards' })).status).to.equal(200);
  });

  it('the memory of a body that breaks off is released', async () => {
    const body = randomBytes(40_000).toString('hex');
    const breakOff = async () => {
      const request = httpRequest(`${service.url}/api/v1/scenarios`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'Content-Length': body.length },
      });
      request.on('error', () => {});
      await new Promise((resolve) => {
        request.write(body.slice(0, 38_000), resolve);
      });
      request.destroy();
    };
    // Together far more than the memory.
    for (let round = 0; round < 100; round += 1) await breakOff();
    const { id } = await createRunningScenario(service);
    const large = { message: 'a', attributes: { b: randomBytes(450_000).toString('hex') } };
    await waitUntil('the memory to be free', async () => {
      const { status } = await ingest(service, id, large, { headers: noWait });
      return status === 202;
    });
  });

  it('bodies share the memory as they are unpacked', async () => {
    const { id } = await createRunningScenario(service);
    const packed = gzipSync(JSON.stringify({ message: 'a', attributes: { b: randomBytes(500_000).toString('hex') } }));
    const headers = { ...gzip, ...noWait };
    expect((await ingest(service, id, packed, { headers })).status).to.equal(202);
    const larger = Buffer.concat([packed, gzipSync(' '.repeat(100_000))]);
    expectError(await ingest(service, id, larger, { headers: gzip }), 503, 'SERVICE_UNAVAILABLE');
    expect((await ingest(service, id, packed, { headers })).status).to.equal(202);
  });
});
