import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { createIdempotencyStore } from '../../../api/request/idempotency-store.ts';
import { startTestService } from '../../support/test-service.ts';
import { waitUntil } from '../../support/wait-until.ts';

describe('records of idempotency keys', () => {
  const service = startTestService({ workers: false });

  it('keep an answer that is stored after the lock has expired, while another attempt claims the key', async () => {
    const model = service.app.models.idempotencyRecord;
    const secret = Buffer.alloc(32, 1);
    const store = createIdempotencyStore(model, secret);
    const id = randomUUID();
    const first = await store.claim(id, 'fingerprint');
    if (first.state !== 'claimed') throw new Error(`the key is ${first.state}`);
    const lockedUntil = new Date();
    await model.updateOne({ _id: id }, { $set: { lockedUntil } });

    let answered = false;
    const slow = Object.assign(Object.create(model), {
      create: (record: object) => model.create(record),
      findById: (recordId: string) => ({
        lean: async () => {
          const known = await model.findById(recordId).lean();
          // Between the second attempt's read of the record and its claim.
          if (!answered) await store.answer({ id, lockedUntil }, { status: 201, headers: {}, body: 'done' });
          answered = true;
          return known;
        },
      }),
    }) as typeof model;
    const second = await createIdempotencyStore(slow, secret).claim(id, 'fingerprint');
    expect(second).to.deep.include({ state: 'answered', answer: { status: 201, headers: {}, body: 'done' } });
  });

  it('stay locked for an attempt that takes long, and unlocked after a process that has ended', async () => {
    const model = service.app.models.idempotencyRecord;
    const store = createIdempotencyStore(model, Buffer.alloc(32, 1), { renewalTime: 10 });
    const id = randomUUID();
    const claim = await store.claim(id, 'fingerprint');
    if (claim.state !== 'claimed') throw new Error(`the key is ${claim.state}`);
    const { lockedUntil: first } = claim;
    expect(first.getTime() - Date.now()).to.be.at.most(30_000);
    const release = store.hold(claim);
    const lockOf = async () => (await model.findById(id).lean())?.lockedUntil ?? first;
    await waitUntil('the lock to be renewed', async () => (await lockOf()) > first);
    expect(await store.claim(id, 'fingerprint')).to.deep.equal({ state: 'inProgress' });
    await release();
    const last = await lockOf();
    expect(claim.lockedUntil).to.deep.equal(last);
    await store.answer(claim, { status: 200, headers: {}, body: 'done' });
    expect(await store.claim(id, 'fingerprint')).to.deep.include({ state: 'answered' });

    // A renewal that was stored, and whose answer was lost.
    const other = await store.claim(`${id}2`, 'fingerprint');
    if (other.state !== 'claimed') throw new Error(`the key is ${other.state}`);
    other.renewedUntil = new Date(other.lockedUntil.getTime() + 1);
    await model.updateOne({ _id: `${id}2` }, { $set: { lockedUntil: other.renewedUntil } });
    await store.forget(other);
    expect(await model.findById(`${id}2`)).to.equal(null);
  });
});
