import { expect } from 'chai';
import { type PriceBookFile, versionOf } from '../../../../shared/cost/price-book-file.ts';
import { keyOf, type Service } from '../../../../shared/cost/price-line.ts';
import { planChanges } from '../../../../shared/cost/refresh/plan-changes.ts';
import { readBook } from '../../../../shared/cost/refresh/read-source.ts';
import type { PricePoint } from '../../../../shared/cost/refresh/source-file.ts';
import { bookFile, novaInput, plan, queueTier, readText, today } from './plan.ts';

const model = 'amazon.nova-micro-v1:0';
const vendor = 'refresh-aws-2026-11-01';

/** The valid book after the prices of a source. */
function apply(points: PricePoint[], only?: readonly Service[], book = bookFile()): PriceBookFile {
  const { next, refusals } = plan(points, { only, book });
  expect(refusals).to.deep.equal([]);
  return next!;
}

const modelIn = ({ inference }: PriceBookFile, id = model) => inference.models.find((row) => row.id === id)!;

describe('applied prices', () => {
  it('prices of the vendor replace those of a Region, with its source, its date and the day it applies from', () => {
    const file = apply([novaInput()]);
    expect(modelIn(file).prices['eu-west-1']?.input_per_1k).to.equal('0.00005');
    expect(file.evidence).to.deep.include({
      [`inference eu-west-1 ${model} input`]: { effective_from: '2026-10-01', as_of: '2026-11-01', sources: [vendor] },
    });
    expect(file.sources.find(({ id }) => id === vendor)).to.include({ publisher: 'Amazon Web Services' });
    expect(versionOf(file)).to.match(/^2026-11-01-/);
    expect(bookFile(), 'the book before').to.deep.equal(bookFile());
  });

  it('prices of the vendor complete the tiers of a queue, and give a price to a Region without one', () => {
    const tiers = (scope: string) => [
      queueTier(0, 100, '0.41', { scope }),
      queueTier(100, 200, '0.31', { scope }),
      queueTier(200, null, '0.25', { scope }),
    ];
    const file = apply([...tiers('eu-west-1'), ...tiers('af-south-1')]);
    for (const code of ['eu-west-1', 'af-south-1']) {
      expect(file.queue.regions[code]?.standard).to.deep.equal({
        tiers_complete: true,
        tiers: [
          { to_requests: 100_000_000_000, price_per_million: '0.41' },
          { to_requests: 200_000_000_000, price_per_million: '0.31' },
          { to_requests: null, price_per_million: '0.25' },
        ],
      });
    }
    expect(file.queue.regions['eu-west-1']?.fifo).to.deep.equal(bookFile().queue.regions['eu-west-1']?.fifo);
  });

  it('prices of the vendor for a Region with the price of all Regions leave its other prices as they were', () => {
    const id = 'anthropic.claude-haiku-4-5-20251001-v1:0';
    const before = modelIn(bookFile(), id).prices['geo']!;
    const file = apply([novaInput({ item: id, kind: 'output', amount: '0.006' })]);
    expect(modelIn(file, id).prices['eu-west-1']).to.deep.equal({ ...before, output_per_1k: '0.006' });
    expect(modelIn(file, id).prices['geo']).to.deep.equal(before);
  });

  it('prices that the vendor confirms have newer evidence, and the same amount', () => {
    const file = apply([novaInput({ amount: '0.00004' })]);
    expect(file.inference).to.deep.equal(bookFile().inference);
    expect(file.evidence?.[`inference eu-west-1 ${model} input`]?.as_of).to.equal('2026-11-01');
  });

  it('prices of one service leave the others as they are', () => {
    const file = apply([novaInput(), queueTier(0, null, '0.4', { scope: 'af-south-1' })], ['queue']);
    expect(file.inference).to.deep.equal(bookFile().inference);
    expect(file.queue.regions['af-south-1']).to.have.property('standard');
  });

  it('incomplete prices are neither counted as changes nor applied', () => {
    const govCloud = { scope: 'us-gov-west-1', item: 'anthropic.claude-sonnet-4-6', amount: '0.0036' };
    const standard = [novaInput(govCloud), novaInput({ ...govCloud, kind: 'output', amount: '0.018' })];
    for (const [points, held, missing] of [
      [[novaInput(govCloud)], 0, 'not added: no output price'],
      [
        [...standard, novaInput({ ...govCloud, kind: 'batch_input', amount: '0.0015' })],
        2,
        'not added: no batch_output price',
      ],
      [[novaInput({ item: 'amazon.titan-embed-text-v2:0', scope: 'us-gov-east-1', amount: '0.00002' })], 1, ''],
    ] as const) {
      const { changes, unused } = plan([...points]);
      const added = changes.filter(({ new: amount }) => amount !== '0');
      expect(added).to.have.length(held);
      const left = points.filter((point) => !added.some((change) => keyOf(change) === keyOf(point)));
      expect(unused.map(({ reason }) => reason)).to.deep.equal(left.map((point) => `${keyOf(point)}: ${missing}`));
    }
  });

  it('prices that the vendor confirms by Region are newer evidence of the price of all commercial Regions', () => {
    const id = 'anthropic.claude-sonnet-4-6';
    const file = apply([novaInput({ item: id, amount: '0.0033' })]);
    expect(file.inference).to.deep.equal(bookFile().inference);
    const own = Object.keys(bookFile().evidence ?? {});
    expect(Object.keys(file.evidence ?? {})).to.deep.equal([...own, `inference geo ${id} input`]);
  });

  it('prices of another book replace this one, or the services that are named', async () => {
    const other = { ...bookFile(), as_of: '2026-11-02' };
    other.queue.regions['eu-west-1']!.standard!.tiers[0]!.price_per_million = '0.5';
    modelIn(other).prices['eu-west-1']!.input_per_1k = '0.00005';
    const reading = await readText(readBook, JSON.stringify(other));
    const nextOf = (only?: readonly Service[]) => planChanges(bookFile(), reading, { today, only }).next!;
    expect(versionOf(nextOf())).to.equal(versionOf(other));
    const queue = nextOf(['queue']);
    expect([queue.queue, queue.inference]).to.deep.equal([other.queue, bookFile().inference]);
  });
});
