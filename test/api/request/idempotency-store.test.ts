import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { createIdempotencyStore } from '../../../api/request/idempotency-store.ts';
import { startTestService } from '../../support/test-service.ts';

describe('records of idempotency keys', () => {
  const service = startTestService({ workers: false });

  it('keep the answer of an attempt that was taken for lost and answers while another takes its place', async () => {
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
      findById: (asked: string) => ({
        lean: async () => {
          const known = await model.findById(asked).lean();
          // Between the other's look at the record and its claim.
          if (!answered) await store.answer({ id, lockedUntil }, { status: 201, headers: {}, body: 'done' });
          answered = true;
          return known;
        },
      }),
    }) as typeof model;
    const second = await createIdempotencyStore(slow, secret).claim(id, 'fingerprint');
    expect(second).to.deep.include({ state: 'answered', answer: { status: 201, headers: {}, body: 'done' } });
  });
});
