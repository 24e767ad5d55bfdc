import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { createRunningScenario, createScenario, expectError, ingest } from '../support/requests.ts';
import { startTestService } from '../support/test-service.ts';

/**
 * Small enough for the rest of a body to arrive while the service still discards it, and larger
 * than the buffers of a connection.
 */
const maxBytes = 1_000_000;

describe('the validation of POST /ingest', () => {
  const service = startTestService({ workers: false, environment: { INGEST_MAX_BYTES: String(maxBytes) } });
  let scenarioId = '';

  before(async () => {
    ({ id: scenarioId } = await createRunningScenario(service));
  });

  afterEach('check that nothing is stored or queued', async () => {
    expect(await service.app.models.logBatch.countDocuments()).to.equal(0);
    expect(await service.app.queues['ingest-entries'].queue.getJobCountByTypes()).to.equal(0);
  });

  /** Begins a request whose body is sent piece by piece. */
  function begin(id: string, type = 'application/json') {
    const request = httpRequest(`${service.url}/ingest`, {
      method: 'POST',
      headers: { 'X-Scenario-ID': id, 'Content-Type': type },
    });
    const statusOf = async () => {
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      response.resume();
      await once(response, 'close');
      return response.statusCode;
    };
    return { request, status: statusOf() };
  }

  it('refuses what is malformed, by the name of the field', async () => {
    const packed = gzipSync(JSON.stringify({ message: 'a'.repeat(500) }));
    const gzip = { 'Content-Encoding': 'gzip' };
    const rows: [field: string, id: string, body?: unknown, options?: Parameters<typeof ingest>[3]][] = [
      ['X-Scenario-ID', ''],
      ['X-Scenario-ID', 'not-a-uuid'],
      ['X-Scenario-ID', scenarioId.replaceAll('-', '')],
      ['X-Scenario-ID', `{${scenarioId}}`],
      ['partial', scenarioId, [], { query: '?partial=maybe' }],
      ['dry', scenarioId, [], { query: '?dry=1' }],
      // A body that is cut off, and one that is not packed.
      ['body', scenarioId, packed.subarray(0, packed.length / 2), { headers: gzip }],
      ['body', scenarioId, '{"message":"a"}', { headers: gzip }],
    ];
    for (const [field, id, body = { message: 'a' }, options] of rows) {
      expectError(await ingest(service, id, body, options), 400, 'VALIDATION_ERROR', [field]);
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

  it('refuses a request that starts before the scenario is stopped and ends afterwards', async () => {
    const { id } = await createRunningScenario(service);
    const { request, status } = begin(id);
    request.write('{"message": ');
    // The start of the body arrives long before the stop gets its response.
    await service.request('POST', `/api/v1/scenarios/${id}/stop`);
    request.end('"late"}');
    expect(await status).to.equal(409);
  });

  it('responds to a body over the limit while the client is still sending', async () => {
    const line = Buffer.from(`{"message":"${'x'.repeat(100_000)}"}\n`);
    const { request, status } = begin(scenarioId, 'application/x-ndjson');
    // Six times the limit in chunks, even if the response arrives before the end.
    for (let sent = 0; sent < 6 * maxBytes; sent += line.length) {
      if (!request.write(line)) await once(request, 'drain');
    }
    request.end();
    expect(await status).to.equal(413);
  });
});
