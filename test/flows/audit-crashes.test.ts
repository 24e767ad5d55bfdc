import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { appendPendingEvents } from '../../shared/audit/audit-outbox.ts';
import { abandonedAfter, createAuditEvent } from '../../shared/audit/audit-record.model.ts';
import { sweepAuditEvents } from '../../workers/audit/append-audit-records.processor.ts';
import { sweepDeletedScenarios } from '../../workers/scenarios/delete-scenario.processor.ts';
import { type Account, createAccount } from '../support/accounts.ts';
import { listRecords, waitForRecords } from '../support/audit-records.ts';
import { createScenario, expectError } from '../support/requests.ts';
import { startServiceBehindProxy } from '../support/service-behind-proxy.ts';
import { waitUntil } from '../support/wait-until.ts';

const v2 = '/api/v2/scenarios';
/** The response of a server that has not executed a command. */
const refusal = { ok: 0, code: 50, codeName: 'MaxTimeMSExpired', errmsg: 'operation exceeded time limit' };

describe('audit records after a crash', () => {
  const { service, proxy } = startServiceBehindProxy();
  let admin: Account;
  before(async () => {
    admin = await createAccount(service);
  });
  afterEach(() => service.stopWorkers());

  const recordsOf = (id: string) => listRecords(service, admin, `?scenario_id=${id}`);
  const typesOf = async (id: string) => (await recordsOf(id)).map(({ event_type: type }) => type).sort();

  it('the deletions of an interrupted bulk delete are counted later, and the rows stay until then', async () => {
    const ids = (await Promise.all([1, 2, 3].map(() => createScenario(service)))).map(({ id }) => id);
    const { queues, models } = service.app;
    const missing = randomUUID();
    // Two deletions are executed; the third and the closing of the intent never reach the database.
    let deletions = 0;
    proxy.intercept = ({ name, collection, body }) => {
      if (name !== 'update') return undefined;
      if (collection === 'audit_intents') return { reply: refusal };
      const deletes = JSON.stringify(body['updates']).includes('deletedIn');
      if (!deletes) return undefined;
      deletions += 1;
      return deletions > 2 && JSON.stringify(body['updates']).includes(ids[2]!) ? { reply: refusal } : undefined;
    };
    await service.request('POST', `${v2}/bulk/delete`, { body: [ids[0], ids[1], missing, ids[2]] });
    proxy.intercept = () => undefined;
    expect(await models.auditIntent.countDocuments({ closed: false })).to.equal(1);
    await service.startWorkers();
    await sweepDeletedScenarios(service.app);
    await sweepAuditEvents(service.app);
    await waitForRecords(service);
    await waitUntil('a deletion job to be refused', async () => {
      const jobs = await queues['delete-scenario'].queue.getJobs(['delayed', 'failed']);
      return jobs.some(({ attemptsMade }) => attemptsMade > 0);
    });
    const rows = await models.scenario.find({ _id: { $in: ids } }).lean();
    expect(rows).to.have.length(3);
    const deleted = rows.filter(({ deletedAt }) => deletedAt).map(({ _id }) => _id);
    for (const id of ids) expect(await typesOf(id)).to.deep.equal(['SCENARIO_CREATED']);

    const begunAt = new Date(Date.now() - abandonedAfter - 1);
    await models.auditIntent.updateMany({}, { $set: { begunAt } });
    await sweepAuditEvents(service.app);
    await waitUntil('the rows to be removed', async () => {
      return (await models.scenario.countDocuments({ _id: { $in: deleted } })) === 0;
    });
    const [record] = (await recordsOf(deleted[0]!)).filter(({ event_type: type }) => type === 'SCENARIO_DELETED');
    expect(record?.details).to.deep.include({ action: 'bulk_delete', requested: 4, deleted: 2, interrupted: true });
    expect(record?.details['scenario_ids']).to.have.members(deleted);
    expect(await models.auditIntent.countDocuments()).to.equal(0);
  });

  it('a scenario holds a bounded number of events without workers, then changes are refused', async () => {
    const { id } = await createScenario(service);
    const actor = {
      userId: null,
      userIdSource: null,
      accountId: null,
      apiKeyId: null,
      clientAddress: '192.0.2.1',
      requestId: randomUUID(),
    };
    const events = Array.from({ length: 198 }, () => createAuditEvent(actor, 'SCENARIO_UPDATED', {}));
    await service.app.models.scenario.updateOne({ _id: id }, { $push: { pendingAudit: { $each: events } } });
    const update = () => service.request('PUT', `${v2}/${id}`, { body: { description: 'changed' } });
    const accepted = await update();
    expect(accepted.status).to.equal(200);
    const refused = await update();
    // Unlike one with an error of the caller, such a request counts against its limit.
    const [before, left] = [accepted, refused].map(({ headers }) => Number(headers.get('X-RateLimit-Remaining')));
    expect(left).to.equal((before ?? 0) - 1);
    expectError(refused, 503, 'SERVICE_UNAVAILABLE');
    expect(refused.headers.get('Retry-After')).to.equal('10');
    const { text } = await service.request('GET', `${v2}/${id}`);
    expect(text).not.to.contain('pendingAudit');
    await appendPendingEvents(service.app);
    expect((await update()).status).to.equal(200);
  });
});
