import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { createIdempotencyStore } from '../../../api/http/idempotency-store.ts';
import { startTestService } from '../../support/test-service.ts';
import { waitUntil } from '../../support/wait-until.ts';

describe('records of idempotency keys', () => {
  const service = startTestService({ workers: false });

  it('a response that is stored after the lock has expired is kept, while another attempt claims the key', async () => {
    const model = service.app.models.idempotencyRecord;
    const store = createIdempotencyStore(model, service.config.keys);
    const id = randomUUID();
    const first = await store.claim(id, 'fingerprint');
    if (first.state !== 'claimed') throw new Error(`the key is ${first.state}`);
    const lockedUntil = new Date();
    await model.updateOne({ _id: id }, { $set: { lockedUntil } });

    let responded = false;
    const slow = Object.assign(Object.create(model), {
      create: (record: object) => model.create(record),
      findById: (recordId: string) => ({
        readConcern: (level: 'majority') => ({
          lean: async () => {
            const known = await model.findById(recordId).readConcern(level).lean();
            // Between the second attempt's read of the record and its claim.
            if (!responded) await store.respond(first, { status: 201, headers: {}, body: 'done' });
            responded = true;
            return known;
          },
        }),
      }),
    }) as typeof model;
    const second = await createIdempotencyStore(slow, service.config.keys).claim(id, 'fingerprint');
    expect(second).to.deep.include({ state: 'responded', response: { status: 201, headers: {}, body: 'done' } });
  });

  it('a record stays locked for an attempt that takes long, and for at most 5 seconds after its process has ended', async () => {
    const model = service.app.models.idempotencyRecord;
    const store = createIdempotencyStore(model, service.config.keys, { renewalTime: 10 });
    const id = randomUUID();
    const claim = await store.claim(id, 'fingerprint');
    if (claim.state !== 'claimed') throw new Error(`the key is ${claim.state}`);
    const lockOf = async () => (await model.findById(id).lean())?.lockedUntil ?? new Date(0);
    const first = await lockOf();
    expect(first.getTime() - Date.now()).to.be.at.most(5_000);
    const release = store.hold(claim);
    const renewed = await waitUntil('the lock to be renewed', async () => {
      const lock = await lockOf();
      return lock > first && lock;
    });
    expect(renewed.getTime() - Date.now()).to.be.at.most(5_000);
    expect(await store.claim(id, 'fingerprint')).to.deep.equal({ state: 'inProgress' });
    release();
    await store.respond(claim, { status: 200, headers: {}, body: 'done' });
    expect(await store.claim(id, 'fingerprint')).to.deep.include({ state: 'responded' });
  });

  it('a record is not locked, finished or released by an attempt that another one has replaced', async () => {
    const model = service.app.models.idempotencyRecord;
    const store = createIdempotencyStore(model, service.config.keys, { renewalTime: 10 });
    const id = randomUUID();
    const claim = async () => {
      const claimed = await store.claim(id, 'fingerprint');
      if (claimed.state !== 'claimed') throw new Error(`the key is ${claimed.state}`);
      return claimed;
    };
    const lost = await claim();
    const lockedUntil = new Date(0);
    await model.updateOne({ _id: id }, { $set: { lockedUntil } });
    const next = await claim();
    expect(next).to.include({ attemptedBefore: true, operationId: lost.operationId });
    const known = await model.findById(id).lean();
    const release = store.hold(lost);
    await store.unlock(lost);
    await store.respond(lost, { status: 200, headers: {}, body: 'late' });
    await store.forget(lost);
    release();
    expect(await model.findById(id).lean()).to.deep.equal(known);
    // A renewal that arrives after the end of its attempt must not lock the key again.
    await store.unlock(next);
    expect(await claim()).to.include({ attemptedBefore: true, operationId: lost.operationId });
  });
});
