import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { generateApiKey } from '../../shared/accounts/api-key.model.ts';
import { hour } from '../../shared/durations.ts';
import { type Account, createAccount, createApiKey } from '../support/accounts.ts';
import { expectError } from '../support/requests.ts';
import { startSecondWebProcess, startTestService } from '../support/test-service.ts';
import { waitForNextMillisecond, waitUntil } from '../support/wait-until.ts';

const keys = '/api/v1/api-keys';

describe('API keys', () => {
  const service = startTestService({ workers: false, environment: { AUTH_MODE: 'strict' } });
  const webs = startSecondWebProcess(service);
  let admin: Account;
  let member: Account;
  before(async () => {
    admin = await createAccount(service);
    member = await createAccount(service);
  });
  const send = (account: Account, method: string, path = '', body?: unknown) =>
    service.request(method, keys + path, { headers: account.headers, ...(body === undefined ? {} : { body }) });
  const use = (key: string, web: Pick<typeof service, 'request'> = service) =>
    web.request('GET', '/api/v1/scenarios', { headers: { 'X-API-Key': key } });

  it('none of the credentials that are sent may be invalid in strict mode', async () => {
    const { key } = await createApiKey(service, member);
    const list = (headers: Record<string, string>) => service.request('GET', '/api/v1/scenarios', { headers });
    expect((await list({ 'X-API-Key': key, ...member.headers })).status).to.equal(200);
    for (const headers of [
      { 'X-API-Key': key, Authorization: 'Bearer x' },
      { ...member.headers, 'X-API-Key': 'x' },
    ]) {
      expectError(await list(headers), 401, 'AUTH_ERROR');
    }
    // 404 and 405 require none.
    expectError(await service.request('GET', '/api/v1/nothing'), 404, 'NOT_FOUND');
    const response = await service.request('PUT', '/api/v1/auth/login');
    expectError(response, 405, 'METHOD_NOT_ALLOWED');
    expect(response.headers.get('Allow')).to.equal('POST');
  });

  it('a key is shown once, and stored as prefix and hash', async () => {
    const created = await createApiKey(service, member, { name: '  my key ' });
    expect(created).to.include({ name: 'my key', tier: 'free', user_id: member.user.id, last_used_at: null });
    expect(created.key.startsWith(`mb_${String(created['prefix'])}_`)).to.equal(true);
    expect(created.scopes).to.include('ingest').and.not.to.include('admin');
    const { key, ...shown } = created;
    const read = await send(member, 'GET', `/${created.id}`);
    expect(read.body).to.deep.equal(shown);
    const stored = await service.app.models.apiKey.findById(created.id).lean();
    expect(stored?.secrets).to.have.length(1);
    expect(stored?.secrets[0]?.hash).to.match(/^[0-9a-f]{64}$/);
    expect(JSON.stringify(stored)).not.to.contain(key.slice(20));
    expect((await use(key)).status).to.equal(200);
  });

  it('a key of which only the prefix is correct is refused', async () => {
    const { id } = await createApiKey(service, member);
    const other = generateApiKey();
    await service.app.models.apiKey.updateOne({ _id: id }, { $set: { 'secrets.0.prefix': other.prefix } });
    expectError(await use(other.key), 401, 'AUTH_ERROR');
  });

  it('keys are changed field by field', async () => {
    const { id, key } = await createApiKey(service, member, { scopes: ['scenarios:read'] });
    const expiresAt = new Date(Date.now() + hour).toISOString();
    const changed = await send(member, 'PATCH', `/${id}`, { name: 'renamed', expires_at: expiresAt });
    expect(changed.status, changed.text).to.equal(200);
    expect(changed.body).to.include({ name: 'renamed', expires_at: expiresAt });
    expect(changed.body.scopes).to.deep.equal(['scenarios:read']);
    await send(member, 'PATCH', `/${id}`, { scopes: ['ingest'] });
    expectError(await use(key), 403, 'FORBIDDEN');
    expect((await send(member, 'PATCH', `/${id}`, { expires_at: null })).body.expires_at).to.equal(null);
  });

  it('a key has an entity tag that changes with its content', async () => {
    const created = await send(member, 'POST', '', { name: 'tagged' });
    const { id } = created.body;
    const read = (tag: string) =>
      service.request('GET', `${keys}/${id}`, { headers: { ...member.headers, 'If-None-Match': tag } });
    const tagOf = (response: typeof created) => response.headers.get('ETag') ?? '';
    expect((await read(tagOf(created))).status).to.equal(304);
    const changed = await send(member, 'PATCH', `/${id}`, { name: 'renamed' });
    expect((await read(tagOf(created))).status).to.equal(200);
    expect((await read(tagOf(changed))).status).to.equal(304);
    const rotated = await send(member, 'POST', `/${id}/rotate`, { grace_seconds: 3600 });
    expect((await read(tagOf(rotated))).status).to.equal(304);
    await service.app.models.apiKey.updateOne({ _id: id }, { $set: { 'secrets.1.expiresAt': new Date() } });
    expect((await read(tagOf(rotated))).body.grace_ends_at).to.equal(null);
  });

  it('a key is refused after its expiry', async () => {
    const { id, key } = await createApiKey(service, member, { expires_at: new Date(Date.now() + hour).toISOString() });
    expect((await use(key)).status).to.equal(200);
    await service.app.models.apiKey.updateOne({ _id: id }, { $set: { expiresAt: new Date() } });
    expectError(await use(key), 401, 'AUTH_ERROR');
    // A key that became valid again would pass the limit of live keys.
    expectError(await send(member, 'PATCH', `/${id}`, { expires_at: null }), 409, 'INVALID_STATE');
    expect((await send(member, 'PATCH', `/${id}`, { name: 'expired' })).status).to.equal(200);
  });

  it('keys are removed by the database 30 days after their expiry', async () => {
    const indexes = await service.app.models.apiKey.collection.indexes();
    const { expireAfterSeconds } = indexes.find(({ key }) => Object.keys(key).join() === 'expiresAt') ?? {};
    expect(expireAfterSeconds).to.equal(30 * 24 * 3600);
  });

  it('keys are listed in pages, newest first; an admin can list those of all accounts', async () => {
    const owner = await createAccount(service);
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      ids.unshift((await createApiKey(service, owner)).id);
      await waitForNextMillisecond();
    }
    const page = await send(owner, 'GET', '?page=2&page_size=2');
    expect(page.body).to.include({ total: 3, page: 2, page_size: 2 });
    const idsOf = (response: typeof page) => response.body.items.map(({ id }: { id: string }) => id);
    expect([...idsOf(await send(owner, 'GET', '?page_size=2')), ...idsOf(page)]).to.deep.equal(ids);
    expectError(await send(owner, 'GET', '?all=true'), 403, 'FORBIDDEN');
    expect(idsOf(await send(admin, 'GET'))).not.to.include.members(ids);
    expect(idsOf(await send(admin, 'GET', '?all=true&page_size=100'))).to.include.members(ids);
  });

  it('an account can have at most 100 unexpired keys', async () => {
    const owner = await createAccount(service);
    const { models } = service.app;
    const template = await models.apiKey.findById((await createApiKey(service, owner)).id).lean();
    const copies = Array.from({ length: 99 }, (_, index) => ({
      ...template!,
      _id: randomUUID(),
      secrets: [{ prefix: index.toString(16).padStart(12, '0'), hash: 'ab'.repeat(32), expiresAt: null }],
      expiresAt: index === 0 ? new Date(Date.now() - 1) : null,
    }));
    await models.apiKey.insertMany(copies);
    const last = await createApiKey(service, owner);
    expectError(await send(owner, 'POST', '', { name: 'x' }), 409, 'CONFLICT');
    expect(await models.apiKey.countDocuments({ ownerId: owner.user.id })).to.equal(101);
    await send(owner, 'DELETE', `/${last.id}`);
    await createApiKey(service, owner);
  });

  it('only an admin can give a key a tier or the scope admin', async () => {
    expectError(await send(member, 'POST', '', { name: 'a key', scopes: ['admin'] }), 403, 'FORBIDDEN');
    expect((await createApiKey(service, admin, { scopes: ['admin'] })).scopes).to.deep.equal(['admin']);
    expectError(await send(member, 'POST', '', { name: 'a key', tier: 'premium' }), 403, 'FORBIDDEN');
    const { id } = await createApiKey(service, member);
    expectError(await send(member, 'PATCH', `/${id}`, { tier: 'premium' }), 403, 'FORBIDDEN');
    expect((await send(admin, 'PATCH', `/${id}`, { tier: 'premium' })).body.tier).to.equal('premium');
    expect((await createApiKey(service, admin, { tier: 'enterprise' }))['tier']).to.equal('enterprise');
  });

  it('a key is refused immediately after its deletion, also by another web process', async () => {
    const { id, key } = await createApiKey(service, member);
    for (const web of webs) expect((await use(key, web)).status).to.equal(200);
    const removed = await webs[0].request('DELETE', `${keys}/${id}`, { headers: member.headers });
    expect([removed.status, removed.text]).to.deep.equal([204, '']);
    for (const web of webs.toReversed()) expectError(await use(key, web), 401, 'AUTH_ERROR');
    expectError(await send(member, 'DELETE', `/${id}`), 404, 'NOT_FOUND');
  });

  it('both keys of a rotation work during its grace period, and only the new one afterwards', async () => {
    const old = await createApiKey(service, member);
    const rotated = await send(member, 'POST', `/${old.id}/rotate`, { grace_seconds: 3600 });
    expect(rotated.status, rotated.text).to.equal(200);
    expect(rotated.body.id).to.equal(old.id);
    expect(rotated.body.grace_ends_at).to.be.a('string');
    const fresh = rotated.body.key as string;
    expect(fresh).not.to.equal(old.key);
    for (const key of [old.key, fresh]) expect((await use(key, webs[1])).status).to.equal(200);
    await service.app.models.apiKey.updateOne({ _id: old.id }, { $set: { 'secrets.1.expiresAt': new Date() } });
    for (const web of webs) expectError(await use(old.key, web), 401, 'AUTH_ERROR');
    expect((await use(fresh, webs[1])).status).to.equal(200);
    expect((await send(member, 'GET', `/${old.id}`)).body.grace_ends_at).to.equal(null);
  });

  it('all keys work in their grace periods after concurrent rotations, which one without a grace period ends at once', async () => {
    const first = await createApiKey(service, member);
    const rotate = async (body?: object) =>
      (await send(member, 'POST', `/${first.id}/rotate`, body)).body.key as string;
    const graceful = (grace_seconds = 60) => rotate({ grace_seconds });
    const inGrace = [first.key, ...(await Promise.all([graceful(), graceful(), graceful()]))];
    for (const key of inGrace) expect((await use(key)).status).to.equal(200);
    const firstEnd = async () => (await service.app.models.apiKey.findById(first.id).lean())?.secrets.at(-1)?.expiresAt;
    const end = await firstEnd();
    inGrace.push(await graceful(3600));
    expect(await firstEnd(), 'a later rotation extends no grace period').to.deep.equal(end);
    const last = await rotate();
    for (const key of inGrace) expectError(await use(key), 401, 'AUTH_ERROR');
    expect((await use(last)).status).to.equal(200);
  });

  it('the last use of a key is recorded, at most once a minute', async () => {
    const { id, key } = await createApiKey(service, member);
    const lastUse = async () => (await send(member, 'GET', `/${id}`)).body.last_used_at as string | null;
    await use(key);
    const recorded = await waitUntil('the use to be recorded', async () => (await lastUse()) ?? undefined);
    await Promise.all([1, 2, 3, 4].map(() => use(key)));
    expect(await lastUse()).to.equal(recorded);
    const longAgo = new Date(Date.now() - 61_000);
    await service.app.models.apiKey.updateOne({ _id: id }, { $set: { lastUsedAt: longAgo } });
    await use(key);
    await waitUntil('a later use to be recorded', async () => (await lastUse()) !== longAgo.toISOString());
  });
});
