import { createHash, randomUUID } from 'node:crypto';
import canonicalize from 'canonicalize';
import { expect } from 'chai';
import { appendToChain, type ChainEvent, hashOf, noteHead } from '../../../shared/audit/audit-chain.ts';
import { type AuditRecord, createAuditEvent } from '../../../shared/audit/audit-record.model.ts';
import { type Account, createAccount } from '../../support/accounts.ts';
import { listRecords, verifyRecords } from '../../support/audit-records.ts';
import { captureLog } from '../../support/capture-log.ts';
import { startTestService } from '../../support/test-service.ts';

function buildEvent(details: object = { name: 'a scenario', region: 'eu-west-1' }): ChainEvent {
  const requestId = randomUUID();
  const actor = { userId: null, userIdSource: null, accountId: null, apiKeyId: null, clientAddress: '192.0.2.1' };
  const { id, ...event } = createAuditEvent({ ...actor, requestId }, 'SCENARIO_CREATED', details);
  return { _id: id, scenarioId: randomUUID(), ...event };
}

const buildEvents = (count: number) => Array.from({ length: count }, () => buildEvent());

describe('the chain of audit records', () => {
  const service = startTestService({ workers: false });
  let admin: Account;
  before(async () => {
    admin = await createAccount(service);
  });
  beforeEach(async () => {
    await service.app.models.auditRecord.deleteMany({});
    await service.app.redis.del(`${service.config.redisPrefix}:audit-head`);
  });

  /** Appends events, and notes the end like a worker. */
  const append = async (events: readonly ChainEvent[]) => {
    const { app, config } = service;
    const ends = await appendToChain(app.models, events);
    if (ends) await noteHead({ ...app, prefix: config.redisPrefix }, ends);
    return ends;
  };
  const records = () => service.app.models.auditRecord.collection;
  const verify = (limit?: number) => verifyRecords(service, admin, limit);
  const expectBroken = async (seq: number, fault: string) => {
    for (const limit of [1, 3, 1_000]) {
      const report = await verify(limit);
      expect(report, `in portions of ${limit}`).to.include({ valid: false, first_broken_seq: seq, fault });
      expect(report.checked).to.equal(seq - 1);
    }
  };

  it('is valid while it is empty, and after every append', async () => {
    expect(await verify()).to.deep.include({ valid: true, checked: 0, head: { seq: 0, hash: '0'.repeat(64) } });
    for (const count of [1, 4, 2]) {
      await append(buildEvents(count));
      expect(await verify()).to.include({ valid: true, end_checked: true, next_seq: null });
    }
    for (const limit of [1, 2, 7]) expect(await verify(limit)).to.include({ valid: true, checked: 7 });
    const last = (await listRecords(service, admin)).find(({ seq }) => seq === 7);
    expect((await verify()).head).to.deep.equal({ seq: 7, hash: last?.hash });
  });

  it('the chain can be verified from the responses alone', async () => {
    await append([buildEvent({ name: '"😀" é\u202e \\', region: 'eu-west-1' }), buildEvent({ fields: ['name'] })]);
    const [second, first] = await listRecords(service, admin);
    for (const shown of [first, second]) {
      const { hash, ...content } = shown!;
      expect(createHash('sha256').update(canonicalize(content)!).digest('hex')).to.equal(hash);
    }
    expect(second?.previous_hash).to.equal(first?.hash);
  });

  const changes: Record<string, object> = {
    'the name in its details': { 'details.name': 'another name' },
    'the user': { userId: randomUUID() },
    'the source of the user': { userIdSource: 'credentials' },
    'the account': { accountId: randomUUID() },
    'the key': { apiKeyId: randomUUID() },
    'the time': { at: new Date(0) },
    'the address': { clientAddress: '192.0.2.2' },
    'the type': { type: 'SCENARIO_DELETED' },
    'the scenario': { scenarioId: randomUUID() },
    'the request': { requestId: randomUUID() },
    'a further detail': { 'details.deleted': 3 },
  };
  it('is broken at a record of which anything is changed', async () => {
    await append(buildEvents(5));
    const original = (await records().findOne({ seq: 3 }))!;
    for (const [what, change] of Object.entries(changes)) {
      await records().updateOne({ seq: 3 }, { $set: change });
      expect(await verify(), what).to.include({ valid: false, first_broken_seq: 3, fault: 'changed', checked: 2 });
      await records().replaceOne({ seq: 3 }, original);
    }
    expect(await verify()).to.include({ valid: true });
  });

  it('is broken at a changed record whose hash is computed anew, or after it', async () => {
    await append(buildEvents(5));
    const record = (await service.app.models.auditRecord.findOne({ seq: 3 }).lean<AuditRecord>())!;
    const changed = { ...record, details: { name: 'another name' } };
    await records().updateOne({ seq: 3 }, { $set: { details: changed.details, hash: hashOf(changed) } });
    await expectBroken(4, 'relinked');
  });

  it('is broken where a record is removed', async () => {
    await append(buildEvents(5));
    await records().deleteOne({ seq: 3 });
    await expectBroken(3, 'missing');
    await records().deleteOne({ seq: 1 });
    await expectBroken(1, 'missing');
  });

  it('is broken at its end if the last records are removed, also after further appends', async () => {
    await append(buildEvents(5));
    await records().deleteMany({ seq: { $gt: 3 } });
    await expectBroken(4, 'missing');
    await append(buildEvents(1));
    await expectBroken(5, 'missing');
    await append(buildEvents(4));
    expect(await verify()).to.include({ valid: false, first_broken_seq: 5, fault: 'replaced' });
    await records().deleteMany({});
    await expectBroken(1, 'missing');
  });

  it('is broken if all of it is computed anew', async () => {
    await append(buildEvents(3));
    await records().deleteMany({});
    await appendToChain(service.app.models, buildEvents(3));
    await expectBroken(3, 'replaced');
  });

  it('has its end in the log, after each append and whatever Redis says', async () => {
    const { log, lines } = captureLog();
    const noted = (ends: Parameters<typeof noteHead>[1]) =>
      noteHead({ ...service.app, prefix: service.config.redisPrefix, log }, ends);
    const first = await appendToChain(service.app.models, buildEvents(2));
    await noted(first!);
    await records().updateOne({ seq: 2 }, { $set: { hash: 'another' } });
    const second = await appendToChain(service.app.models, buildEvents(3));
    await noted(second!);
    const [one, other, contradiction] = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(one).to.include({ message: 'audit records appended', last_seq: 2, hash: first?.after.hash });
    expect(other).to.include({ message: 'audit records appended', last_seq: 5, hash: second?.after.hash });
    expect(contradiction).to.include({ level: 'error', seq: 2 });
  });

  it('has an unchecked end if none is noted', async () => {
    await append(buildEvents(2));
    await service.app.redis.del(`${service.config.redisPrefix}:audit-head`);
    expect(await verify()).to.include({ valid: true, end_checked: false });
  });
});
