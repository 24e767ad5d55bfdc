import { expect } from 'chai';
import type { Document } from 'mongodb';
import { isMongoUnavailable, openMongo } from '../../shared/connections/mongo.ts';
import { createAccount } from '../support/accounts.ts';
import { writeCommands } from '../support/proxy.ts';
import { createRunningScenario, createScenario, expectError, getMetrics, ingest } from '../support/requests.ts';
import { startServiceBehindProxy } from '../support/service-behind-proxy.ts';
import { isRolledUp } from '../support/stored-batches.ts';
import { sendRequest } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

/** Options of a connection string that would weaken what is guaranteed. */
const weaker = 'w=1&journal=false&wtimeoutMS=1&readPreference=secondary&maxStalenessSeconds=120&readConcernLevel=local';

const isMany = ({ body }: { body: Document }) =>
  [...(body['updates'] ?? []), ...(body['deletes'] ?? [])].some(
    ({ multi, limit }: Document) => multi === true || limit === 0,
  );

describe('the connection to the database', () => {
  const { service, proxy } = startServiceBehindProxy({}, { workers: true, connection: weaker });
  const readByMajority = () =>
    proxy.commands.filter(({ body }) => body['readConcern']?.level === 'majority').map(({ collection }) => collection);

  it('requires a majority and the journal for every write, and reads from the primary, whatever the connection string says', async () => {
    proxy.commands.length = 0;
    await createAccount(service);
    const { id } = await createRunningScenario(service);
    expect((await ingest(service, id, { message: 'one' })).status).to.equal(200);
    const { scenario } = service.app.models;
    await waitUntil('the roll-up', () => isRolledUp(service.app.models, id));
    await getMetrics(service, id);
    expect((await service.request('DELETE', `/api/v1/scenarios/${id}`)).status).to.equal(204);
    await waitUntil('the removal', async () => !(await scenario.exists({ _id: id })));

    const written = proxy.commands.filter(({ name }) => writeCommands.has(name));
    const usage = ['log_batches', 'usage_plans', 'usage_hours', 'usage_days'];
    const collections = ['users', 'sessions', 'scenarios', ...usage];
    expect(written.map(({ collection }) => collection)).to.include.members(collections);
    for (const { name, collection, body } of written) {
      expect(body['writeConcern'], `${name} ${collection}`).to.include({ w: 'majority', j: true });
    }
    // With a direct connection the driver itself asks a member of a replica set for
    // `primaryPreferred`.
    const preferences = proxy.commands.map(({ body }) => body['$readPreference']?.mode);
    expect(new Set(preferences)).not.to.include.members(['secondary']);
    // The driver repeats writes of one document only.
    const many = written.filter(isMany).map(({ collection }) => collection);
    expect(['log_batches', 'usage_hours', 'usage_days', 'report_schedules']).to.include.members(many);
    // Reads that decide over counting and removal, and those of metrics.
    expect(readByMajority()).to.include.members([...usage, 'scenarios']);
  });

  it('responds with 503 when the server refuses, or no majority acknowledges a write', async () => {
    const { id } = await createScenario(service);
    const body = { name: 'not stored for sure', region: 'eu-west-1' };
    for (const reply of [
      { ok: 0, errmsg: 'not primary', code: 10_107 },
      { ok: 1, n: 1, writeConcernError: { code: 64, errmsg: 'not yet' } },
    ]) {
      proxy.intercept = ({ name, collection }) =>
        name === 'insert' && collection === 'scenarios' ? { reply } : undefined;
      const refused = await service.request('POST', '/api/v1/scenarios', { body });
      expectError(refused, 503, 'SERVICE_UNAVAILABLE');
      expect(Number(refused.headers.get('Retry-After'))).to.be.greaterThan(0);
    }
    proxy.intercept = ({ collection }) =>
      collection === 'scenarios' ? { reply: { ok: 0, errmsg: 'too slow', code: 50 } } : undefined;
    expectError(await service.request('GET', `/api/v1/scenarios/${id}`), 503, 'SERVICE_UNAVAILABLE');
    expectError(await service.request('POST', `/api/v1/scenarios/${id}/start`), 503, 'SERVICE_UNAVAILABLE');
  });

  it('ends an operation to which a server does not respond, although it responds to the checks of the driver', async () => {
    const mongo = await openMongo(service.environment['MONGODB_URL'] ?? '', { timeoutMs: 5_000, role: 'request' });
    proxy.intercept = ({ name, collection }) => (name === 'find' && collection === 'ignored' ? 'ignore' : undefined);
    const error = await mongo
      .collection('ignored')
      .findOne()
      .catch((reason: unknown) => reason);
    expect(isMongoUnavailable(error), String(error)).to.equal(true);
    await mongo.close();
  });

  it('responds with 500 when the server rejects a command', async () => {
    const refusal = { ok: 0, errmsg: 'no such command', code: 59 };
    proxy.intercept = ({ collection }) => (collection === 'scenarios' ? { reply: refusal } : undefined);
    // No route declares 500, so the response is not checked against the OpenAPI document.
    const { status } = await sendRequest(service.url, 'GET', '/api/v1/scenarios');
    expect(status).to.equal(500);
  });
});
