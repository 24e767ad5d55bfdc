import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { createRunningScenario, createScenario, expectError, ingest } from '../support/requests.ts';
import { startTestService } from '../support/test-service.ts';

describe('the validation of POST /ingest', () => {
  const service = startTestService();
  let scenarioId = '';

  before(async () => {
    ({ id: scenarioId } = await createRunningScenario(service));
  });

  const storedBatches = () => service.app.models.logBatch.countDocuments();
  const waiting = async () => Object.values(await service.app.queues['ingest-entries'].queue.getJobCounts());

  afterEach('check that nothing is stored or queued', async () => {
    expect(await storedBatches()).to.equal(0);
    expect((await waiting()).every((count) => count === 0)).to.equal(true);
  });

  it('names the fields of a single entry, and of entries in a list', async () => {
    expectError(await ingest(service, scenarioId, { message: '', x: 1 }), 400, 'VALIDATION_ERROR', ['x', 'message']);
    const list = [{ message: 'a' }, { message: '' }];
    expectError(await ingest(service, scenarioId, list), 400, 'VALIDATION_ERROR', ['[1].message']);
    expectError(await ingest(service, scenarioId, '   '), 400, 'VALIDATION_ERROR', ['body']);
  });

  it('refuses a missing or malformed X-Scenario-ID', async () => {
    const body = { message: 'a' };
    expectError(await service.request('POST', '/ingest', { body }), 400, 'VALIDATION_ERROR', ['X-Scenario-ID']);
    for (const id of ['not-a-uuid', scenarioId.replaceAll('-', ''), `{${scenarioId}}`]) {
      expectError(await ingest(service, id, body), 400, 'VALIDATION_ERROR', ['X-Scenario-ID']);
    }
  });

  it('refuses an unknown scenario, and one that is not running', async () => {
    expectError(await ingest(service, randomUUID(), { message: 'a' }), 404, 'NOT_FOUND');
    const { id } = await createScenario(service);
    for (const step of [undefined, 'start,stop', 'archive']) {
      for (const transition of step?.split(',') ?? []) {
        await service.request('POST', `/api/v1/scenarios/${id}/${transition}`);
      }
      const response = await ingest(service, id, { message: 'a' });
      expectError(response, 409, 'INVALID_STATE');
      expect(response.body.error.message).to.contain('running');
    }
  });

  it('refuses a body over the limit, before or after decompression', async () => {
    const body = JSON.stringify(Array.from({ length: 30 }, () => ({ message: 'x'.repeat(200_000) })));
    expectError(await ingest(service, scenarioId, body), 413, 'PAYLOAD_TOO_LARGE');
    const packed = gzipSync(body);
    expect(packed.length).to.be.lessThan(50_000);
    const headers = { 'Content-Encoding': 'gzip' };
    expectError(await ingest(service, scenarioId, packed, { headers }), 413, 'PAYLOAD_TOO_LARGE');
  });

  it('refuses a body of blanks whatever its ratio, and too many packed bytes of nothing', async () => {
    const headers = { 'Content-Encoding': 'gzip' };
    const spaces = gzipSync(' '.repeat(2 * 1024 * 1024));
    expectError(await ingest(service, scenarioId, spaces, { headers }), 400, 'VALIDATION_ERROR');
    const nothing = Buffer.concat(Array<Buffer>(300_000).fill(gzipSync('')));
    expectError(await ingest(service, scenarioId, nothing, { headers }), 413, 'PAYLOAD_TOO_LARGE');
  });

  it('refuses a truncated gzip body, and a body that is not gzip', async () => {
    const packed = gzipSync(JSON.stringify({ message: 'a'.repeat(500) }));
    const headers = { 'Content-Encoding': 'gzip' };
    const half = packed.subarray(0, packed.length / 2);
    expectError(await ingest(service, scenarioId, half, { headers }), 400, 'VALIDATION_ERROR', ['body']);
    const other = '{"message":"a"}';
    expectError(await ingest(service, scenarioId, other, { headers }), 400, 'VALIDATION_ERROR', ['body']);
  });

  it('refuses a request that starts before the scenario is stopped and ends afterwards', async () => {
    const { id } = await createRunningScenario(service);
    const request = httpRequest(`${service.url}/ingest`, {
      method: 'POST',
      headers: { 'X-Scenario-ID': id, 'Content-Type': 'application/json' },
    });
    const responded = once(request, 'response') as Promise<[IncomingMessage]>;
    request.write('{"message": ');
    // The start of the body arrives long before the stop gets its response.
    await service.request('POST', `/api/v1/scenarios/${id}/stop`);
    request.end('"late"}');
    const [response] = await responded;
    expect(response.statusCode).to.equal(409);
    response.resume();
    await once(response, 'close');
  });

  it('refuses other content types, other encodings, and bytes that are not UTF-8', async () => {
    const send = (headers: Record<string, string>, body: unknown = '{"message":"a"}') =>
      ingest(service, scenarioId, body, { headers });
    expectError(await send({ 'Content-Type': 'application/xml' }), 415, 'UNSUPPORTED_MEDIA_TYPE');
    expectError(await send({ 'Content-Encoding': 'br' }), 415, 'UNSUPPORTED_MEDIA_TYPE');
    expectError(await send({ 'Content-Type': 'application/json; charset=latin1' }), 415, 'UNSUPPORTED_MEDIA_TYPE');
    expectError(await send({}, Buffer.from('{"message":"\xff"}', 'latin1')), 400, 'VALIDATION_ERROR', ['body']);
    const none = await service.request('POST', '/ingest', { headers: { 'X-Scenario-ID': scenarioId } });
    expectError(none, 400, 'VALIDATION_ERROR', ['body']);
  });

  it('refuses unknown query parameters and values', async () => {
    const body = [{ message: 'a' }];
    expectError(await ingest(service, scenarioId, body, { query: '?partial=maybe' }), 400, 'VALIDATION_ERROR', [
      'partial',
    ]);
    expectError(await ingest(service, scenarioId, body, { query: '?dry=1' }), 400, 'VALIDATION_ERROR', ['dry']);
  });
});

describe('a body over the limit', () => {
  // Small enough to arrive while the service still reads and discards; larger than the buffers of a
  // connection.
  const maxBytes = 1_000_000;
  const service = startTestService({ workers: false, environment: { INGEST_MAX_BYTES: String(maxBytes) } });

  it('gets its response while the client is still sending', async () => {
    const { id } = await createRunningScenario(service);
    const line = Buffer.from(`{"message":"${'x'.repeat(100_000)}"}\n`);
    const request = httpRequest(`${service.url}/ingest`, {
      method: 'POST',
      headers: { 'X-Scenario-ID': id, 'Content-Type': 'application/x-ndjson' },
    });
    const responded = once(request, 'response') as Promise<[IncomingMessage]>;
    // Six times the limit in chunks, even if the response arrives before the end.
    for (let sent = 0; sent < 6 * maxBytes; sent += line.length) {
      if (!request.write(line)) await once(request, 'drain');
    }
    request.end();
    const [response] = await responded;
    expect(response.statusCode).to.equal(413);
    response.resume();
    await once(response, 'close');
  });
});
