import { expect } from 'chai';
import { createAccount } from '../support/accounts.ts';
import { listRecords, waitForRecords } from '../support/audit-records.ts';
import { createNotebookFixture, startHttpBackend } from '../support/notebook-backends.ts';
import { createRunningScenario, createScenario, expectError } from '../support/requests.ts';
import { startTestService } from '../support/test-service.ts';

describe('a scenario that a client has read', () => {
  const service = startTestService();

  for (const path of ['/api/v1/scenarios', '/api/v2/scenarios']) {
    const read = async (id: string) => (await service.request('GET', `${path}/${id}`)).body;
    const put = (id: string, body: object) => service.request('PUT', `${path}/${id}`, { body });

    it(`a scenario is put back by ${path} in every state but archived, whole and changed`, async () => {
      const assumptions = { function: { memory_mb: 512 }, free_tier: true };
      for (const { id } of [
        await createScenario(service, { assumptions }),
        await createRunningScenario(service, { assumptions }),
      ]) {
        const first = await read(id);
        const same = await put(id, first);
        expect(same.status, same.text).to.equal(200);
        expect(same.body).to.deep.equal({ ...first, updated_at: same.body.updated_at });
        const changed = await put(id, { ...same.body, description: 'changed' });
        expect(changed.body).to.include({ description: 'changed', name: first.name });
      }
    });

    it(`is refused by ${path} with a changed read-only field, which the error names`, async () => {
      const { id } = await createScenario(service);
      const scenario = await read(id);
      for (const [field, value] of [
        ['id', '6f6fb4b1-5c0e-4d3c-9a53-3f2b8a6f1c11'],
        ['status', 'running'],
        ['created_by', '6f6fb4b1-5c0e-4d3c-9a53-3f2b8a6f1c11'],
        ['created_at', '2026-05-01T12:00:00.000Z'],
        ['started_at', '2026-05-01T12:00:00.000Z'],
        ['archived_at', { $gt: '' }],
        ['completed_at', 7],
      ] as const) {
        expectError(await put(id, { ...scenario, description: 'x', [field]: value }), 400, 'VALIDATION_ERROR', [field]);
      }
      expect(await read(id)).to.deep.equal(scenario);
    });

    it(`is refused by ${path} if it has changed since, also by If-Match`, async () => {
      const { id } = await createScenario(service);
      const stale = await read(id);
      await put(id, { description: 'by another client' });
      const refused = await put(id, { ...stale, description: 'mine' });
      expectError(refused, 400, 'VALIDATION_ERROR', ['updated_at']);
      const conditional = await service.request('PUT', `${path}/${id}`, {
        headers: { 'If-Match': '"1"' },
        body: stale,
      });
      expectError(conditional, 412, 'PRECONDITION_FAILED');
      expect((await read(id)).description).to.equal('by another client');
    });

    it(`needs a field that ${path} can change, and accepts timestamps in another form`, async () => {
      const { id } = await createScenario(service);
      const { created_at: createdAt, status } = await read(id);
      expectError(await put(id, { id, status }), 400, 'VALIDATION_ERROR', ['body']);
      const sent = { id: id.toUpperCase(), created_at: createdAt.replace('Z', '000+00:00'), description: 'x' };
      const updated = await put(id, sent);
      expect(updated.status, updated.text).to.equal(200);
    });
  }

  it('leaves read-only fields out of the updated fields of its audit record', async () => {
    const admin = await createAccount(service);
    const scenario = await createScenario(service);
    await service.request('PUT', `/api/v2/scenarios/${scenario.id}`, { body: scenario });
    await waitForRecords(service);
    const records = await listRecords(service, admin, `?scenario_id=${scenario.id}`);
    const update = records.find(({ event_type: type }) => type === 'SCENARIO_UPDATED');
    expect(update?.details).to.deep.equal({ fields: ['name', 'description', 'region', 'assumptions'] });
  });
});

describe('a notebook that a client has read', () => {
  const { service, create } = createNotebookFixture('http', startHttpBackend);
  const patch = (id: string, body: object) => service.request('PATCH', `/api/v1/notebooks/${id}`, { body });

  it('is patched back, unless a read-only field has changed', async () => {
    const notebook = await create({ description: 'of a day' });
    const same = await patch(notebook.id, notebook);
    expect(same.status, same.text).to.equal(200);
    expect(same.body.data).to.deep.equal({ ...notebook, updated_at: same.body.data.updated_at });
    const changed = await patch(notebook.id, { ...same.body.data, description: null });
    expect(changed.body.data.description).to.equal(null);

    const stale = await patch(notebook.id, { ...notebook, updated_at: '2026-05-01T12:00:00.000Z' });
    expectError(stale, 400, 'VALIDATION_ERROR', ['updated_at']);
    expectError(await patch(notebook.id, { id: notebook.id }), 400, 'VALIDATION_ERROR', ['body']);
  });
});
