import { expect } from 'chai';
import { logEntryId } from '../../../../api/routes/ingest/log-entry-id.ts';

describe('logEntryId', () => {
  it('is the name-based UUID of the batch and the position', () => {
    // uuid.uuid5(uuid.NAMESPACE_DNS, '0') and '999' of Python's standard library.
    const namespace = '6ba7b810-9dad-11d1-80b4-00c04fd430c8';
    expect(logEntryId(namespace, 0)).to.equal('6af613b6-569c-5c22-9c37-2ed93f31d3af');
    expect(logEntryId(namespace, 999)).to.equal('1d6d08af-a916-5462-b19a-5e6f41d8b353');
  });

  it('differs by batch and by position', () => {
    const other = '6ba7b811-9dad-11d1-80b4-00c04fd430c8';
    const ids = [0, 1, 10, 11, 999].flatMap((index) => [
      logEntryId('6ba7b810-9dad-11d1-80b4-00c04fd430c8', index),
      logEntryId(other, index),
    ]);
    expect(new Set(ids).size).to.equal(10);
  });
});
