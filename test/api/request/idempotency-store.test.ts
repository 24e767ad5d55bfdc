import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { createIdempotencyStore } from '../../../api/request/idempotency-store.ts';
import { startTestService } from '../../support/test-service.ts';

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
});
