import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { createRunningScenario, createScenario, expectError, ingest } from '../support/requests.ts';
import { startTestService } from '../support/test-service.ts';

/** A description, a body, and the fields that the error must name. */
const bodies: [string, unknown, string[]][] = [
  ['an entry without message', {}, ['message']],
  ['an empty message', { message: '' }, ['message']],
  ['a message over 256 KiB', { message: 'é'.repeat(131_073) }, ['message']],
  ['a message of another type', { message: 5 }, ['message']],
  ['an operator object as message', { message: { $gt: '' } }, ['message']],
  ['a NUL character', '{"message":"a\\u0000b"}', ['message']],
  ['a lone surrogate', '{"message":"a\\udc00"}', ['message']],
  ['a __proto__ field', '{"message":"a","__proto__":{"admin":true}}', ['__proto__']],
  ['an escaped __proto__ attribute', '{"message":"a","attributes":{"\\u005f_proto__":1}}', ['attributes.__proto__']],
  [
    'an otherwise escaped __proto__ attribute',
    '{"message":"a","attributes":{"__\\u0070roto__":1}}',
    ['attributes.__proto__'],
  ],
  ['deeply nested values', `{"message":"\\u0041","attributes":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, ['body']],
  [
    'a hundred thousand fields',
    Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`f${index}`, 1])),
    ['body'],
  ],
  [
    'a hundred thousand attributes',
    { message: 'a', attributes: Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`a${index}`, []])) },
    ['body'],
  ],
  [
    'NUL characters together with other errors',
    '[{"message":"a\\u0000"},{"message":"","level":"\\u0000"}]',
    ['[0].message', '[1].level', '[1].message'],
  ],
  ['a hundred thousand items in a list', `{"message":"a","attributes":{"b":[${'1,'.repeat(100_000)}0]}}`, ['body']],
  [
    'nine hundred NUL characters, and names twenty',
    `{"message":"a","attributes":{"b":[${'"\\u0000",'.repeat(900)}0]}}`,
    Array.from({ length: 20 }, (_, index) => `attributes.b[${index}]`),
  ],
  ['a message under two names', { message: 'a', log: 'b' }, ['message']],
  ['an unknown field', { message: 'a', host: 'b' }, ['host']],
  ['a source of another type', { message: 'a', source: ['b'] }, ['source']],
  ['a level of another type', { message: 'a', level: 3 }, ['level']],
  ['an invalid date', { message: 'a', timestamp: 'yesterday' }, ['timestamp']],
  ['a day that does not exist', { message: 'a', timestamp: '2026-02-30T00:00:00Z' }, ['timestamp']],
  ['a time before 1990', { message: 'a', timestamp: '1989-12-31T23:59:59Z' }, ['timestamp']],
  ['a time more than a day ahead', { message: 'a', timestamp: Date.now() + 25 * 3_600_000 }, ['timestamp']],
  ['a timestamp of another type', { message: 'a', timestamp: {} }, ['timestamp']],
  ['nested attributes', { message: 'a', attributes: { b: { c: 1 } } }, ['attributes.b']],
  ['attributes of another type', { message: 'a', attributes: [1] }, ['attributes']],
  ['an unknown usage field', { message: 'a', usage: { gpu: 1 } }, ['usage.gpu']],
  ['an unknown model', { message: 'a', usage: { model: 'nobody.nothing-v1' } }, ['usage.model']],
  [
    'usage out of range',
    {
      message: 'a',
      usage: { function_duration_ms: -1, function_memory_mb: 127, input_tokens: -5, output_tokens: 10_000_001 },
    },
    ['usage.function_duration_ms', 'usage.function_memory_mb', 'usage.input_tokens', 'usage.output_tokens'],
  ],
  [
    'usage of another type',
    {
      message: 'a',
      usage: { function_duration_ms: '5', function_memory_mb: 512.5, input_tokens: 1.5, output_tokens: null },
    },
    ['usage.function_duration_ms', 'usage.function_memory_mb', 'usage.input_tokens', 'usage.output_tokens'],
  ],
  ['an empty list', [], ['body']],
  ['1,001 entries', Array.from({ length: 1001 }, () => ({ message: 'a' })), ['body']],
  ['invalid JSON', '{"message": "a"', ['body']],
  ['a number', '5', ['body']],
  ['a blank body', '   ', ['body']],
  [
    'a batch with two invalid entries',
    [{ message: 'a' }, { message: '' }, { message: 'b' }, { message: 'c', x: 1 }],
    ['[1].message', '[3].x'],
  ],
  ['a list with items that are not objects', [{ message: 'a' }, null, 'text'], ['[1]', '[2]']],
];

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

  for (const [what, body, fields] of bodies) {
    it(`refuses ${what}`, async () => {
      expectError(await ingest(service, scenarioId, body), 400, 'VALIDATION_ERROR', fields);
    });
  }

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

  it('names every entry at fault, and all errors of the first only', async () => {
    const list = Array.from({ length: 1000 }, () => ({ source: 1, level: 2 }));
    const { body } = await ingest(service, scenarioId, list);
    const fields = body.error.details.map(({ field }: { field: string }) => field);
    expect(fields.slice(0, 3)).to.deep.equal(['[0].message', '[0].source', '[0].level']);
    expect(new Set(fields.map((field: string) => field.slice(0, field.indexOf(']')))).size).to.equal(1000);
    expect(fields.length).to.be.lessThan(1020);
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

  it('refuses NDJSON with an invalid line', async () => {
    const headers = { 'Content-Type': 'application/x-ndjson' };
    const body = '{"message":"a"}\n{"message":\n{"message":"c"}\n';
    expectError(await ingest(service, scenarioId, body, { headers }), 400, 'VALIDATION_ERROR', ['[1]']);
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
