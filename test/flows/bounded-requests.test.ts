import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { createAccount } from '../support/accounts.ts';
import { createRunningScenario, expectError, ingest } from '../support/requests.ts';
import { startTestService } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

describe('requests that wait', () => {
  const service = startTestService({
    workers: false,
    environment: { INGEST_WAIT_MS: '0', TRUST_PROXY: '1' },
    config: { maxWaitingRequests: 3 },
  });

  it('a bounded number of requests of a caller waits, and more are refused until one gets its response', async () => {
    const { id } = await createRunningScenario(service);
    expect((await ingest(service, id, { message: 'not processed' })).status).to.equal(202);
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
});

describe('ingest requests that wait', () => {
  const service = startTestService({ workers: false, config: { maxWaitingRequests: 3 } });

  it('a bounded number of ingest requests of a caller waits, and more get 202 at once', async () => {
    const { id } = await createRunningScenario(service);
    const sent = Array.from({ length: 5 }, (_, index) => ingest(service, id, { message: `line ${index}` }));
    const first = await Promise.race(sent);
    expect(first.status).to.equal(202);
    expect(first.headers.get('Preference-Applied')).to.equal(null);
    await service.startWorkers();
    const responses = await Promise.all(sent);
    expect(responses.map(({ status }) => status)).to.have.members([200, 200, 200, 202, 202]);
    expect((await ingest(service, id, { message: 'afterwards' })).status).to.equal(200);
  });
});

describe('bodies in progress', () => {
  const service = startTestService({ workers: false, config: { maxBodyMemoryBytes: 4 * 1024 * 1024 } });

  it('bodies in progress share a bounded memory: more are refused until one has arrived', async () => {
    const padding = ' '.repeat(98_000);
    const bodyOf = (name: string) => `{${padding}"name": "${name}", "region": "eu-west-1"}`;
    const body = bodyOf('slow');
    const headers = { 'Content-Type': 'application/json' };
    const sendSlowly = () => {
      const request = httpRequest(`${service.url}/api/v1/scenarios`, {
        method: 'POST',
        headers: { ...headers, 'Content-Length': body.length },
      });
      request.write(body.slice(0, padding.length));
      request.on('response', ({ statusCode }) => {
        slowIsRefused ||= statusCode === 503;
      });
      return { request, responded: once(request, 'response') as Promise<[IncomingMessage]> };
    };
    // The last slow and the quick request compete: the second to arrive is refused.
    let slowIsRefused = false;
    const slow: ReturnType<typeof sendSlowly>[] = [];
    const other = { headers, body: bodyOf('quick') };
    await waitUntil('a refusal', async () => {
      slow.push(sendSlowly());
      const response = await service.request('POST', '/api/v1/scenarios', other);
      if (response.status === 503) expectError(response, 503, 'SERVICE_UNAVAILABLE');
      return response.status === 503 || slowIsRefused;
    });
    const responses = slow.map(async ({ request, responded }) => {
      request.end(body.slice(padding.length));
      const [response] = await responded;
      await text(response);
      return response.statusCode as number;
    });
    expect((await Promise.all(responses)).filter((status) => status === 201)).to.have.length(1);
    await service.request('POST', '/api/v1/scenarios', other);
    const { status } = await service.request('POST', '/api/v1/scenarios', {
      body: { name: 'afterwards', region: 'eu-west-1' },
    });
    expect(status).to.equal(201);
  });

  it('the memory of a body that breaks off is released', async () => {
    const body = Buffer.from(JSON.stringify({ name: 'never stored', region: randomBytes(40_000).toString('hex') }));
    const breakOff = async () => {
      const request = httpRequest(`${service.url}/api/v1/scenarios`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'Content-Length': body.length },
      });
      request.on('error', () => {});
      await new Promise((resolve) => {
        request.write(body.subarray(0, 38_000), resolve);
      });
      request.destroy();
    };
    // Together far more than the memory.
    for (let round = 0; round < 100; round += 1) await breakOff();
    const { id } = await createRunningScenario(service);
    const large = { message: 'a', attributes: { b: randomBytes(450_000).toString('hex') } };
    await waitUntil('the memory to be free', async () => {
      const { status } = await ingest(service, id, large, { headers: { Prefer: 'respond-async' } });
      return status === 202;
    });
  });

  it('packed and unfinished bodies occupy only what was sent of them', async () => {
    const { id } = await createRunningScenario(service);
    const packed = gzipSync(JSON.stringify({ message: ' '.repeat(900_000) }));
    const unfinished = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const request = httpRequest(`${service.url}/ingest`, {
          method: 'POST',
          localAddress: `127.0.3.${index + 1}`,
          headers: {
            'X-Scenario-ID': id,
            'Content-Type': 'application/json',
            'Content-Encoding': 'gzip',
            'Content-Length': packed.length,
            Expect: '100-continue',
          },
        });
        request.on('error', () => {});
        await once(request, 'continue');
        await new Promise((resolve) => {
          request.write(packed.subarray(0, -1), resolve);
        });
        return request;
      }),
    );
    for (let round = 0; round < 5; round += 1) {
      const large = { message: 'a', attributes: { b: randomBytes(450_000).toString('hex') } };
      const { status } = await ingest(service, id, large, { headers: { Prefer: 'respond-async' } });
      expect(status).to.equal(202);
    }
    for (const request of unfinished) request.destroy();
  });

  it('bodies are counted as they are unpacked', async () => {
    const { id } = await createRunningScenario(service);
    const packed = gzipSync(JSON.stringify({ message: 'a', attributes: { b: randomBytes(500_000).toString('hex') } }));
    const headers = { 'Content-Encoding': 'gzip' };
    expect(packed.length).to.be.lessThan(600_000);
    expect((await ingest(service, id, packed, { headers: { ...headers, Prefer: 'respond-async' } })).status).to.equal(
      202,
    );
    const two = Buffer.concat([packed, gzipSync(' '.repeat(100_000))]);
    expectError(await ingest(service, id, two, { headers }), 503, 'SERVICE_UNAVAILABLE');
    expect((await ingest(service, id, packed, { headers: { ...headers, Prefer: 'respond-async' } })).status).to.equal(
      202,
    );
  });
});
