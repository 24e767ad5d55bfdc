import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { logEntryId } from '../../../shared/ingest/log-batch.model.ts';

describe('logEntryId', () => {
  it('is the batch id with the position in the last 16 bits, as a UUID of version 8', () => {
    const batchId = '6ba7b810-9dad-41d1-80b4-00c04fd430c8';
    expect(logEntryId(batchId, 0)).to.equal('6ba7b810-9dad-81d1-80b4-00c04fd40000');
    expect(logEntryId(batchId, 999)).to.equal('6ba7b810-9dad-81d1-80b4-00c04fd403e7');
  });

  it('differs between batches and between positions', () => {
    const batches = [randomUUID(), randomUUID(), randomUUID()];
    const ids = batches.flatMap((batch) => Array.from({ length: 1000 }, (_, index) => logEntryId(batch, index)));
    expect(new Set(ids).size).to.equal(3000);
    for (const id of ids) expect(id).to.match(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  });
});
