import { expect } from 'chai';
import { mongo } from 'mongoose';
import { isMongoUnavailable } from '../../../shared/connections/mongo.ts';

/** The driver's error of a bulk write that has met `error`. */
const inBulkWrite = (error: Error | { message: string; code: number }) =>
  new mongo.MongoBulkWriteError(error, {} as never);

describe('errors of MongoDB', () => {
  it('the loss of a connection during a bulk write counts as an unavailable database', () => {
    expect(isMongoUnavailable(inBulkWrite(new mongo.MongoNetworkError('interrupted')))).to.equal(true);
    expect(isMongoUnavailable(inBulkWrite(Object.assign(new Error('write'), { code: 'EPIPE' })))).to.equal(true);
    expect(isMongoUnavailable(inBulkWrite({ message: 'not primary', code: 10_107 }))).to.equal(true);
  });

  it('a bulk write that the server refuses is no sign of an unavailable database', () => {
    expect(isMongoUnavailable(inBulkWrite({ message: 'E11000', code: 11_000 }))).to.equal(false);
    expect(isMongoUnavailable(inBulkWrite(new RangeError('too large')))).to.equal(false);
  });
});
