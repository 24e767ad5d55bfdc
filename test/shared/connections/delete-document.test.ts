import { expect } from 'chai';
import type { Connection } from 'mongoose';
import { deleteDocument, openMongo } from '../../../shared/connections/mongo.ts';
import { createModels, type Models } from '../../../shared/models.ts';
import { type MongoProxy, startMongoProxy } from '../../support/proxy.ts';
import { dropDatabase } from '../../support/test-servers.ts';
import { createTestEnvironment } from '../../support/test-service.ts';

describe('the deletion of a document', () => {
  const { MONGODB_URL: url = '' } = createTestEnvironment();
  let proxy: MongoProxy;
  let connection: Connection;
  let model: Models['priceOverrides'];
  before(async () => {
    proxy = await startMongoProxy(url);
    connection = await openMongo(proxy.url, { timeoutMs: 20_000, role: 'request' });
    model = createModels(connection).priceOverrides;
  });
  after(async () => {
    await connection.close();
    await proxy.stop();
    await dropDatabase(url);
  });

  it('is tried again if the database has missed the document, because it was updated meanwhile', async () => {
    await model.collection.insertOne({ _id: 'updated' } as never);
    let deletions = 0;
    proxy.intercept = ({ name }) => {
      if (name !== 'findAndModify') return undefined;
      deletions += 1;
      return deletions === 1 ? { reply: { ok: 1, value: null, lastErrorObject: { n: 0 } } } : undefined;
    };
    expect(await deleteDocument(model, { _id: 'updated' as never })).to.deep.equal({ _id: 'updated' });
    expect(deletions).to.equal(2);
    expect(await model.collection.countDocuments({})).to.equal(0);
  });

  it('ends if no document matches', async () => {
    expect(await deleteDocument(model, { _id: 'absent' as never })).to.equal(null);
  });
});
