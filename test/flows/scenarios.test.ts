import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import type { ErrorCode } from '../../shared/errors.ts';
import { createRunningScenario, createScenario, expectError } from '../support/requests.ts';
import { startTestService } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

const path = '/api/v1/scenarios';

describe('scenarios', () => {
  const service = startTestService();

  const move = (id: string, transition: string) => service.request('POST', `${path}/${id}/${transition}`);

  it('scenarios are created as draft, with every field of the resource', async () => {
    const name = `  Peak season ${randomUUID()} `;
    const assumptions = { queue: { type: 'fifo', requests_per_message: 3 }, function: { memory_mb: 512 } };
    const response = await service.request('POST', path, {
      body: { name, description: 'What December costs', region: 'eu-central-1', assumptions },
    });
    expect(response.status).to.equal(201);
    const scenario = response.body;
    expect(scenario).to.have.all.keys(
      'id',
      'name',
      'description',
      'region',
      'status',
      'assumptions',
      'created_by',
      'created_at',
      'updated_at',
      'started_at',
      'completed_at',
      'archived_at',
    );
    expect(scenario).to.deep.include({ name: name.trim(), status: 'draft', assumptions, started_at: null });
    expect(scenario.updated_at).to.equal(scenario.created_at);
    expect(response.headers.get('Location')).to.equal(`${path}/${scenario.id}`);
    const read = await service.request('GET', `${path}/${scenario.id}`);
    expect(read.status).to.equal(200);
    expect(read.body).to.deep.equal(scenario);
  });

  it('scenarios change from draft to running, completed and archived, with the time of each change, and no other way', async () => {
    const { id } = await createScenario(service);
    const expectRefusals = async (state: string, ...refused: [transition: string, needed: string][]) => {
      for (const [transition, needed] of refused) {
        const response = await move(id, transition);
        expectError(response, 409, 'INVALID_STATE');
        expect(response.body.error.message).to.contain(state).and.to.contain(needed);
      }
    };
    await expectRefusals('draft', ['stop', 'running'], ['archive', 'completed']);
    const started = await move(id, 'start');
    expect(started.status).to.equal(200);
    expect(started.body).to.include({ status: 'running', started_at: started.body.updated_at });
    await expectRefusals('running', ['start', 'draft'], ['archive', 'completed']);
    const stopped = await move(id, 'stop');
    expect(stopped.body).to.include({ status: 'completed', completed_at: stopped.body.updated_at });
    await expectRefusals('completed', ['stop', 'running']);
    const archived = await move(id, 'archive');
    expect(archived.body).to.include({ status: 'archived', archived_at: archived.body.updated_at });
    expect(archived.body.started_at).to.equal(started.body.started_at);
    await expectRefusals('archived', ['start', 'draft']);
    expectError(await move(randomUUID(), 'start'), 404, 'NOT_FOUND');
  });

  it('a scenario is created by one of 50 concurrent requests with the same name', async () => {
    const name = `race ${randomUUID()}`;
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        service.request('POST', path, {
          body: { name: index % 2 ? name.toUpperCase() : ` ${name} `, region: 'us-east-1' },
        }),
      ),
    );
    const statuses = responses.map(({ status }) => status).sort((a, b) => a - b);
    expect(statuses).to.deep.equal([201, ...Array.from({ length: 49 }, () => 409)]);
    for (const response of responses) if (response.status === 409) expectError(response, 409, 'CONFLICT', ['name']);
  });

  it('a scenario is started by one of 50 concurrent requests', async () => {
    const { id } = await createScenario(service);
    const responses = await Promise.all(Array.from({ length: 50 }, () => move(id, 'start')));
    const statuses = responses.map(({ status }) => status).sort((a, b) => a - b);
    expect(statuses).to.deep.equal([200, ...Array.from({ length: 49 }, () => 409)]);
  });

  it('names are compared case-insensitively, composed, trimmed and without invisible characters', async () => {
    const unique = randomUUID();
    await createScenario(service, { name: `Straße é ${unique}` });
    const same = [
      `STRASSE É`,
      `straße e\u0301`,
      `  Straße é`,
      `\u200bStra\u200d\u00adße é\ufe0f\u2060`,
      `\u202eStraße\u0001 é`,
    ];
    for (const name of same.map((form) => `${form} ${unique} `)) {
      expectError(await service.request('POST', path, { body: { name, region: 'us-east-1' } }), 409, 'CONFLICT', [
        'name',
      ]);
    }
    const other = await createScenario(service);
    const body = { name: `STRASSE É ${unique}` };
    expectError(await service.request('PUT', `${path}/${other.id}`, { body }), 409, 'CONFLICT', ['name']);
  });

  it('an update changes only the fields that it sends', async () => {
    const before = await createScenario(service, { description: 'first' });
    const updated = await service.request('PUT', `${path}/${before.id}`, { body: { description: 'second' } });
    expect(updated.status).to.equal(200);
    expect(updated.body).to.deep.equal({ ...before, description: 'second', updated_at: updated.body.updated_at });
    const renamed = await service.request('PUT', `${path}/${before.id}`, {
      body: { name: before.name.toUpperCase() },
    });
    expect(renamed.status, 'a name may change its case').to.equal(200);
  });

  it('the region is fixed after draft, and archived scenarios are read-only', async () => {
    const { id } = await createRunningScenario(service);
    const put = (body: unknown) => service.request('PUT', `${path}/${id}`, { body });
    expectError(await put({ region: 'us-east-1' }), 409, 'INVALID_STATE', ['region']);
    const both = await put({ assumptions: { free_tier: true }, region: 'us-east-1' });
    expectError(both, 409, 'INVALID_STATE', ['region', 'assumptions']);
    expect((await put({ description: 'still open', region: 'eu-west-1' })).status).to.equal(200);
    await move(id, 'stop');
    await move(id, 'archive');
    expectError(await put({ description: 'too late' }), 409, 'INVALID_STATE');
  });

  it('all of 20 concurrent updates of different fields are kept', async () => {
    const { id } = await createScenario(service);
    const bodies = Array.from({ length: 20 }, (_, index) =>
      index % 2 ? { description: `text ${index}` } : { assumptions: { function: { memory_mb: 128 + index } } },
    );
    const responses = await Promise.all(bodies.map((body) => service.request('PUT', `${path}/${id}`, { body })));
    expect(responses.every(({ status }) => status === 200)).to.equal(true);
    expect(new Set(responses.map(({ headers }) => headers.get('ETag'))).size).to.equal(20);
    const { body } = await service.request('GET', `${path}/${id}`);
    expect(body.description).to.match(/^text /);
    expect(body.assumptions.function.memory_mb).to.be.greaterThan(127);
  });

  it('scenarios are hidden and free their name as soon as they are deleted; their row is removed later', async () => {
    const scenario = await createRunningScenario(service);
    const response = await service.request('DELETE', `${path}/${scenario.id}`);
    expect(response.status).to.equal(204);
    expect(response.text).to.equal('');
    expectError(await service.request('GET', `${path}/${scenario.id}`), 404, 'NOT_FOUND');
    expectError(await service.request('DELETE', `${path}/${scenario.id}`), 404, 'NOT_FOUND');
    expectError(
      await service.request('PUT', `${path}/${scenario.id}`, { body: { description: 'x' } }),
      404,
      'NOT_FOUND',
    );
    await createScenario(service, { name: scenario.name });
    await waitUntil(
      'the row to be removed',
      async () => !(await service.app.models.scenario.exists({ _id: scenario.id })),
    );
  });

  it('a pipeline that cannot work is refused at create and at update, in both versions, also for a region', async () => {
    const cached = { pipeline: { inference: { cache_prompt: true, prompt_tokens: 5_000 } } };
    const impossible = { pipeline: { function: { batch_size: 11 } } };
    const fields = ['assumptions.pipeline.function.window_seconds'];
    for (const version of [path, '/api/v2/scenarios']) {
      const body = { name: 'never stored', region: 'us-east-1', assumptions: impossible };
      expectError(await service.request('POST', version, { body }), 400, 'VALIDATION_ERROR', fields);
      const { id } = await createScenario(service, { region: 'us-east-1', assumptions: cached });
      const put = (changes: object) => service.request('PUT', `${version}/${id}`, { body: changes });
      expectError(await put({ assumptions: impossible }), 400, 'VALIDATION_ERROR', fields);
      const region = await put({ region: 'us-gov-west-1' });
      expectError(region, 400, 'VALIDATION_ERROR', ['assumptions.pipeline.inference.cache_prompt']);
      expect((await service.request('GET', `${version}/${id}`)).body.assumptions).to.deep.equal(cached);
    }
  });

  for (const version of [path, '/api/v2/scenarios']) {
    const read = async (id: string) => (await service.request('GET', `${version}/${id}`)).body;
    const put = (id: string, body: object) => service.request('PUT', `${version}/${id}`, { body });

    it(`a scenario is put back by ${version} in every state but archived, unless it or a read-only field has changed`, async () => {
      const assumptions = { function: { memory_mb: 512 }, free_tier: true };
      for (const { id } of [
        await createScenario(service, { assumptions }),
        await createRunningScenario(service, { assumptions }),
      ]) {
        const first = await read(id);
        const same = await put(id, first);
        expect(same.status, same.text).to.equal(200);
        expect(same.body).to.deep.equal({ ...first, updated_at: same.body.updated_at });
        const { body: changed } = await put(id, { ...same.body, description: 'changed' });
        expect(changed).to.include({ description: 'changed', name: first.name });
        for (const [field, value] of [
          ['updated_at', same.body.updated_at],
          ['id', '6f6fb4b1-5c0e-4d3c-9a53-3f2b8a6f1c11'],
          ['status', 'archived'],
          ['created_by', '6f6fb4b1-5c0e-4d3c-9a53-3f2b8a6f1c11'],
          ['created_at', '2026-05-01T12:00:00.000Z'],
          ['started_at', '2026-05-01T12:00:00.000Z'],
          ['archived_at', { $gt: '' }],
          ['completed_at', 7],
        ] as const) {
          const refused = await put(id, { ...changed, description: 'x', [field]: value });
          expectError(refused, 400, 'VALIDATION_ERROR', [field]);
        }
        expectError(await put(id, { id, status: changed.status }), 400, 'VALIDATION_ERROR', ['body']);
        expect(await read(id)).to.deep.equal(changed);
        // Ids and timestamps can have another form.
        const createdAt = changed.created_at.replace('Z', '000+00:00');
        const updated = await put(id, { id: id.toUpperCase(), created_at: createdAt, description: 'x' });
        expect(updated.status, updated.text).to.equal(200);
      }
    });
  }

  describe('validation', () => {
    const valid = { name: 'never stored', region: 'eu-west-1' };
    it('bodies are JSON in UTF-8, not packed, and not too large', async () => {
      const send = (body: Uint8Array | string | undefined, headers: Record<string, string> = {}) =>
        service.request('POST', path, {
          headers: { 'Content-Type': 'application/json', ...headers },
          ...(body !== undefined && { body }),
        });
      const named = (name: string) => JSON.stringify({ ...valid, name });
      const refused: [Uint8Array | string | undefined, Record<string, string>, number, ErrorCode, string[]?][] = [
        ['hello', { 'Content-Type': 'text/plain' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
        [undefined, {}, 400, 'VALIDATION_ERROR', ['body']],
        [named('x'.repeat(200_000)), {}, 413, 'PAYLOAD_TOO_LARGE'],
        [Buffer.from(named('\xff'), 'latin1'), {}, 400, 'VALIDATION_ERROR', ['body']],
        // These bytes are also well-formed UTF-8, but a different name.
        [
          Buffer.from(named('Ã©'), 'latin1'),
          { 'Content-Type': 'application/json; charset=iso-8859-1' },
          415,
          'UNSUPPORTED_MEDIA_TYPE',
        ],
      ];
      for (const [body, headers, status, code, fields] of refused)
        expectError(await send(body, headers), status, code, fields);
      for (const encoding of ['gzip', 'x-gzip', 'deflate', 'br']) {
        const packed = await send(gzipSync(named('packed')), { 'Content-Encoding': encoding });
        expectError(packed, 415, 'UNSUPPORTED_MEDIA_TYPE');
      }
      const stated = { 'Content-Type': 'application/json; charset="UTF-8"', 'Content-Encoding': 'identity' };
      const created = await send(named('Größe 😀'), stated);
      expect(created.status, created.text).to.equal(201);
      expect(created.body.name).to.equal('Größe 😀');
      await createScenario(service, { name: '😀'.repeat(100) });
    });
  });

  it('a valid X-Request-ID is kept, and an invalid one replaced', async () => {
    const id = randomUUID();
    const kept = await service.request('GET', '/health', { headers: { 'X-Request-ID': id } });
    expect(kept.headers.get('X-Request-ID')).to.equal(id);
    const replaced = await service.request('GET', '/health', { headers: { 'X-Request-ID': 'not-a-uuid' } });
    expect(replaced.headers.get('X-Request-ID')).to.match(/^[\da-f-]{36}$/);
  });
});
