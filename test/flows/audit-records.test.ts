import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import {
  type Account,
  type ApiKeyResponse,
  bearer,
  createAccount,
  createApiKey,
  password,
} from '../support/accounts.ts';
import { listRecords, type ShownRecord, waitForRecords } from '../support/audit-records.ts';
import { createScenario, expectError, successOf } from '../support/requests.ts';
import { startTestService } from '../support/test-service.ts';

const v1 = '/api/v1/scenarios';
const v2 = '/api/v2/scenarios';
const path = '/api/v1/audit-records';

describe('audit records', () => {
  const service = startTestService();
  let admin: Account;
  let member: Account;
  let key: ApiKeyResponse;
  before(async () => {
    admin = await createAccount(service);
    member = await createAccount(service);
    key = await createApiKey(service, member);
  });

  // Names are in the records as they were written.
  const newScenario = () => ({ name: `<b>'&"=1+1 e\u0301 😀 \u202eabc ${randomUUID()}`, region: 'eu-west-1' });
  /** The records of a scenario, the oldest first. */
  const recordsOf = async (id: string): Promise<ShownRecord[]> => {
    await waitForRecords(service);
    const found = await listRecords(service, admin, `?scenario_id=${id}`);
    return found.sort((one, other) => one.seq - other.seq);
  };
  const events = (records: ShownRecord[]) => records.map(({ event_type: type, details }) => [type, details]);

  it('records have what the reference names, with the user of X-User-ID and the proven account', async () => {
    const userId = randomUUID();
    const requestId = randomUUID();
    const headers = { 'X-API-Key': key.key, 'X-User-ID': userId };
    const body = newScenario();
    const created = await service.request('POST', v2, { headers: { ...headers, 'X-Request-ID': requestId }, body });
    const { id } = created.body;
    await service.request('PUT', `${v2}/${id}`, { headers, body: { description: 'changed', region: 'us-east-1' } });
    expect((await service.request('DELETE', `${v2}/${id}`, { headers })).status).to.equal(204);
    const records = await recordsOf(id);
    expect(events(records)).to.deep.equal([
      ['SCENARIO_CREATED', { name: body.name, region: 'eu-west-1' }],
      ['SCENARIO_UPDATED', { fields: ['description', 'region'] }],
      ['SCENARIO_DELETED', { name: body.name }],
    ]);
    expect(records[0]?.request_id).to.equal(requestId);
    expect(Date.parse(records[0]?.occurred_at ?? '')).to.be.at.least(Date.parse(created.body.created_at));
    for (const record of records) {
      expect(record).to.include({
        scenario_id: id,
        user_id: userId,
        user_id_source: 'header',
        account_id: member.user.id,
        api_key_id: key.id,
        client_address: '127.0.0.1',
      });
    }
  });

  it('records distinguish a declared user from a proven one', async () => {
    const claim = { 'X-User-ID': admin.user.id };
    const writes = [
      { path: v2, headers: claim, user: [admin.user.id, 'header', null, null] },
      { path: v2, headers: { ...claim, ...member.headers }, user: [admin.user.id, 'header', member.user.id, null] },
      { path: v2, headers: member.headers, user: [member.user.id, 'credentials', member.user.id, null] },
      { path: v2, headers: {}, user: [null, null, null, null] },
      // Version 1 has no such header.
      { path: v1, headers: claim, user: [null, null, null, null] },
      { path: v1, headers: { 'X-API-Key': key.key }, user: [member.user.id, 'credentials', member.user.id, key.id] },
    ];
    for (const { path: to, headers, user } of writes) {
      const { body } = await service.request('POST', to, { headers, body: newScenario() });
      const [record] = await recordsOf(body.id);
      const { user_id, user_id_source, account_id, api_key_id } = record!;
      expect([user_id, user_id_source, account_id, api_key_id]).to.deep.equal(user);
    }
  });

  it('records are written for version 1 too, and for the lifecycle', async () => {
    const scenario = await createScenario(service);
    const at = `${v1}/${scenario.id}`;
    await service.request('PUT', at, { body: scenario });
    await service.request('PUT', at, { body: { name: `${scenario.name} (new)` } });
    for (const step of ['start', 'stop', 'archive']) await service.request('POST', `${at}/${step}`);
    await service.request('DELETE', at);
    expect(events(await recordsOf(scenario.id))).to.deep.equal([
      ['SCENARIO_CREATED', { name: scenario.name, region: 'eu-west-1' }],
      ['SCENARIO_UPDATED', { fields: ['name', 'description', 'region', 'assumptions'] }],
      ['SCENARIO_UPDATED', { fields: ['name'] }],
      ['SCENARIO_UPDATED', { fields: ['status'], status: 'running' }],
      ['SCENARIO_UPDATED', { fields: ['status'], status: 'completed' }],
      ['SCENARIO_UPDATED', { fields: ['status'], status: 'archived' }],
      ['SCENARIO_DELETED', { name: `${scenario.name} (new)` }],
    ]);
  });

  it('a bulk delete has one record with the counts, found by each deleted scenario', async () => {
    const ids = (await Promise.all([1, 2, 3].map(() => createScenario(service)))).map(({ id }) => id);
    const { body } = await service.request('POST', `${v2}/bulk/delete`, { body: [...ids, randomUUID(), randomUUID()] });
    expect(body).to.include({ total_requested: 5, total_deleted: 3 });
    for (const id of ids) {
      const records = await recordsOf(id);
      expect(records).to.have.length(2);
      const { scenario_ids: deleted, ...counts } = records[1]!.details;
      expect(records[1]).to.include({ event_type: 'SCENARIO_DELETED', scenario_id: null });
      expect(counts).to.deep.equal({ action: 'bulk_delete', requested: 5, deleted: 3, failed: 2 });
      expect(deleted).to.have.members(ids);
    }
  });

  it('records are not written for what was refused, and once for a repeated request', async () => {
    const { id, name } = await createScenario(service);
    const options = { headers: { 'Idempotency-Key': randomUUID() }, body: newScenario() };
    const [first, second] = [await service.request('POST', v2, options), await service.request('POST', v2, options)];
    expect(second.body.id).to.equal(first.body.id);
    const at = first.body.id;
    for (const [method, to, sent, status] of [
      ['PUT', `${v2}/${at}`, { body: { name } }, 409],
      ['PUT', `${v2}/${at}`, { body: { region: 'nowhere' } }, 400],
      ['PUT', `${v2}/${at}`, { body: { description: '' }, headers: { 'If-Match': '"9"' } }, 412],
      ['POST', `${v1}/${at}/stop`, {}, 409],
      ['DELETE', `${v1}/${at}`, { headers: { 'If-Match': '"9"' } }, 412],
    ] as const) {
      expect((await service.request(method, to, sent)).status).to.equal(status);
    }
    for (const each of [id, first.body.id]) expect(await recordsOf(each)).to.have.length(1);
  });

  it('records of what a deleted account owned say that its owner changed', async () => {
    const { user, headers } = await createAccount(service);
    const scenario = await service.request('POST', v2, { headers, body: newScenario() });
    await successOf(service.request('DELETE', `/api/v1/users/${user.id}`, admin));
    const records = await recordsOf(scenario.body.id);
    expect(events(records)[1]).to.deep.equal(['SCENARIO_UPDATED', { fields: ['created_by'] }]);
    expect(records.map(({ account_id: by }) => by)).to.deep.equal([user.id, admin.user.id]);
  });

  it('records are written for accounts and API keys', async () => {
    const registered = await service.request('POST', '/api/v1/auth/register', {
      body: { email: `${randomUUID()}@example.com`, password },
    });
    const { id } = registered.body.user;
    const own = bearer(registered.body.access_token);
    const send = async (method: string, to: string, headers: Record<string, string>, body?: object) =>
      (await successOf(service.request(method, to, { headers, body }))).body;
    const created = await send('POST', '/api/v1/api-keys', own, { name: 'a key' });
    const at = `/api/v1/api-keys/${created.id}`;
    await send('PATCH', at, own, { name: 'a new name' });
    await send('POST', `${at}/rotate`, own);
    await send('DELETE', at, own);
    await send('PATCH', `/api/v1/users/${id}`, admin.headers, { role: 'admin' });
    await send('POST', `/api/v1/users/${id}/password-link`, admin.headers);
    await send('POST', `/api/v1/users/${id}/transfer`, admin.headers, { to: admin.user.id });
    await send('DELETE', `/api/v1/users/${id}`, admin.headers);
    const invited = await send('POST', '/api/v1/users', admin.headers, { email: `${randomUUID()}@example.com` });
    await send('POST', '/api/v1/auth/password-reset', {}, { token: invited.password_link.token, password });
    // Refused requests leave nothing.
    for (const [to, body] of [
      ['/api/v1/auth/register', { email: admin.email, password }],
      ['/api/v1/users', { email: admin.email }],
    ] as const) {
      expectError(await service.request('POST', to, { headers: admin.headers, body }), 409, 'CONFLICT');
    }
    await waitForRecords(service);
    const records = (await listRecords(service, admin, '?page_size=11')).reverse();
    const [self, byAdmin] = [id, admin.user.id];
    expect(records.map((record) => [record.event_type, record.account_id, record.details])).to.deep.equal([
      ['USER_CREATED', null, { target_id: id }],
      ['API_KEY_CREATED', self, { target_id: created.id }],
      ['API_KEY_UPDATED', self, { target_id: created.id, fields: ['name'] }],
      ['API_KEY_UPDATED', self, { target_id: created.id, action: 'rotate' }],
      ['API_KEY_DELETED', self, { target_id: created.id }],
      ['USER_UPDATED', byAdmin, { target_id: id, fields: ['role'] }],
      ['USER_UPDATED', byAdmin, { target_id: id, fields: ['password_link'] }],
      ['USER_UPDATED', byAdmin, { target_id: id, fields: ['owned_resources'], new_owner_id: byAdmin }],
      ['USER_DELETED', byAdmin, { target_id: id }],
      ['USER_CREATED', byAdmin, { target_id: invited.id }],
      ['USER_UPDATED', null, { target_id: invited.id, fields: ['password'] }],
    ]);
    expect(await service.app.models.auditIntent.countDocuments()).to.equal(0);
    expect(JSON.stringify(records)).not.to.contain(registered.body.user.email);
  });

  it('records are filtered and paged, the newest first', async () => {
    const userId = randomUUID();
    const { body } = await service.request('POST', v2, { headers: { 'X-User-ID': userId }, body: newScenario() });
    await service.request('DELETE', `${v2}/${body.id}`, { headers: { 'X-User-ID': userId } });
    await recordsOf(body.id);
    const list = async (query: string) => (await successOf(service.request('GET', `${path}${query}`, admin))).body;
    const all = await list(`?user_id=${userId}`);
    const [last, first] = all.items as ShownRecord[];
    expect(all).to.include({ total: 2, page: 1, page_size: 20 });
    expect([first?.event_type, last?.event_type]).to.deep.equal(['SCENARIO_CREATED', 'SCENARIO_DELETED']);
    const found = async (query: string) => ((await list(query)).items as ShownRecord[]).map(({ seq }) => seq);
    expect(await found(`?user_id=${userId}&event_type=SCENARIO_CREATED`)).to.deep.equal([first?.seq]);
    expect(await found(`?request_id=${last?.request_id}`)).to.deep.equal([last?.seq]);
    expect(await found(`?user_id=${userId}&from=${last?.occurred_at}`)).to.deep.equal([last?.seq]);
    expect(await found(`?user_id=${userId}&to=${last?.occurred_at}`)).to.deep.equal([first?.seq]);
    expect(await found(`?user_id=${userId}&page_size=1&page=2`)).to.deep.equal([first?.seq]);
    expect(await found(`?user_id=${randomUUID()}`)).to.deep.equal([]);
    const unfiltered = await list('?page_size=1');
    expect(unfiltered.total).to.equal(await service.app.models.auditRecord.countDocuments());
    expect(unfiltered.items).to.have.length(1);
  });
});
