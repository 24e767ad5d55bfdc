import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { openPriceBook } from '../../../../shared/cost/price-book.ts';
import { readNewestPriceBook, storeBookOfCode } from '../../../../shared/cost/price-books.ts';
import { type ApplyOptions, applyPrices } from '../../../../shared/cost/refresh/apply-prices.ts';
import { startServiceBehindProxy } from '../../../support/service-behind-proxy.ts';
import { createTemporaryFolder } from '../../../support/temporary-folder.ts';
import { offerFile, queueProduct, queueRates } from './offer-files.ts';

const actor: ApplyOptions['actor'] = {
  userId: null,
  userIdSource: null,
  accountId: null,
  apiKeyId: null,
  clientAddress: 'a test',
  requestId: randomUUID(),
};
const error = { reply: { ok: 0, code: 8000, errmsg: 'the worker has ended' } };

describe('applied prices of a source', () => {
  const folder = createTemporaryFolder();
  const { service, proxy } = startServiceBehindProxy();

  /** Applies an offer file with this price for a million requests of us-east-1. */
  async function apply(price: number, options: Partial<ApplyOptions> = {}) {
    const products = [queueProduct('us-east-1', 'Standard', queueRates((price / 1e6).toFixed(10)))];
    await writeFile(join(folder.path, 'sqs.json'), offerFile({ offerCode: 'AWSQueueService', products }));
    const source = { kind: 'aws', location: folder.path } as const;
    return applyPrices(service.app.models, source, { actor, ...options });
  }

  async function newest() {
    const { stored, file } = await readNewestPriceBook(service.app.models);
    openPriceBook(stored._id, stored.content);
    return { version: stored._id, price: file.queue.regions['us-east-1']?.standard?.tiers[0]?.price_per_million };
  }
  const records = async () => {
    const events = await service.app.models.auditIntent.find({ closed: true }).lean();
    await service.app.models.auditIntent.deleteMany({ closed: true });
    return events.map(({ event: { type, details } }) => ({ type, ...details }));
  };

  it('stores a version and records it; the same prices again are that version', async () => {
    const before = await newest();
    const applied = await apply(0.5);
    expect([applied.status, applied.plan.changes.length]).to.deep.equal(['applied', 1]);
    expect(await newest()).to.deep.equal({ version: applied.version, price: '0.5' });
    expect(applied.version).not.to.equal(before.version);
    const again = await apply(0.5);
    expect(again).to.include({ status: 'current', version: applied.version });
    expect(again.plan.changes).to.deep.equal([]);
    expect(await records()).to.deep.equal([
      { type: 'PRICE_BOOK_REFRESHED', source: 'aws', price_book: applied.version, changes: 1 },
      { type: 'PRICE_BOOK_REFRESHED', source: 'aws', price_book: applied.version, changes: 0 },
    ]);
  });

  it('changes nothing and says why if a price is refused, or not used, unless a large change is accepted', async () => {
    const before = await newest();
    for (const [price, status] of [
      [0, 'refused'],
      [6, 'current'],
    ] as const) {
      expect((await apply(price)).status).to.equal(status);
      expect(await newest()).to.deep.equal(before);
    }
    const [zero] = await records();
    expect(zero?.refused).to.match(/sqs\.json: \$\.terms\..*: the price is zero, the book has 0\.5$/);
    expect(await apply(6, { acceptLargeChanges: true })).to.include({ status: 'applied' });
    expect(await apply(0.6)).to.include({ status: 'applied' });
    const earlier = await apply(0.5);
    expect(earlier.plan.refusals[0]?.reason).to.match(/it was stored before/);
    await records();
  });

  it('two calls at the same time are stored once, or one after the other, but never half', async () => {
    const outcomes = await Promise.all([apply(0.7), apply(0.7), apply(0.7)]);
    const { version } = await newest();
    for (const outcome of outcomes) expect(outcome).to.include({ version });
    const sequences = await service.app.models.priceBookVersion.find({}, { sequence: 1 }).sort({ sequence: 1 }).lean();
    expect(sequences.map(({ sequence }) => sequence)).to.deep.equal(sequences.map((_, at) => at + 1));
    await records();
  });

  for (const [how, interception] of [
    ['before a command', error],
    ['after a command', 'drop reply'],
  ] as const) {
    it(`what is interrupted ${how} of the database leaves the old version whole, or the new one`, async () => {
      let finished = false;
      let interrupted = 0;
      for (let last = 1; !finished; last += 1) {
        const before = await newest();
        const price = (how === 'before a command' ? 1 : 2) + last / 100;
        let commands = 0;
        proxy.intercept = ({ collection }) => {
          if (!collection.startsWith('price_') && collection !== 'audit_intents') return undefined;
          commands += 1;
          return commands === last ? interception : undefined;
        };
        finished = await apply(price).then(
          () => commands < last,
          () => false,
        );
        proxy.intercept = () => undefined;
        interrupted += 1;
        const after = await newest();
        expect(after.price, `at command ${last}`).to.be.oneOf([before.price, String(price)]);
        expect(after.version === before.version).to.equal(after.price === before.price);
        expect(await apply(price), 'the next call').to.include({ version: (await newest()).version });
        expect((await newest()).price).to.equal(String(price));
      }
      expect(interrupted).to.be.greaterThan(4);
    });
  }

  it('is not replaced by the price book of a later version of the code', async () => {
    const { priceBookVersion } = service.app.models;
    await apply(0.8);
    const before = await newest();
    // As if the code had another book than when the service started first.
    expect((await priceBookVersion.deleteMany({ source: 'code' })).deletedCount).to.equal(1);
    await storeBookOfCode(service.app.models);
    expect(await newest()).to.deep.equal(before);
    expect(await priceBookVersion.exists({ source: 'code' })).to.equal(null);
    await priceBookVersion.deleteMany({});
    await storeBookOfCode(service.app.models);
    expect(await priceBookVersion.countDocuments({ source: 'code' })).to.equal(1);
  });
});
