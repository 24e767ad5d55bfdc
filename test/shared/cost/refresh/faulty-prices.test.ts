import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { PriceBookFile } from '../../../../shared/cost/price-book-file.ts';
import { planChanges } from '../../../../shared/cost/refresh/plan-changes.ts';
import { readSource } from '../../../../shared/cost/refresh/read-source.ts';
import { createTemporaryFolder } from '../../../support/temporary-folder.ts';
import { type OfferProduct, offerFile, queueProduct, tokenProduct } from './offer-files.ts';
import { bookFile, today } from './plan.ts';

const nova = 'amazon.nova-micro-v1:0';
const modelOf = ({ inference }: PriceBookFile, id = nova) => inference.models.find((row) => row.id === id);
const pricesOf = (file: PriceBookFile, scope: string, id = nova) => modelOf(file, id)?.prices[scope];

/** The price of Nova Micro's input in Ireland, as text, per token, thousand or million. */
const input = (usd: string, regionCode = 'eu-west-1', unit = '1K tokens') =>
  tokenProduct({ model: 'Nova Micro', inferenceType: 'Input tokens', regionCode }, unit, usd);
/** Prices that are not at fault. */
const good = [
  tokenProduct({ model: 'Nova Micro', inferenceType: 'Output tokens' }, '1K tokens', '0.00017'),
  queueProduct('us-east-1'),
];
const offer = (...products: OfferProduct[]) =>
  offerFile({ offerCode: 'AmazonBedrock', products: [...products, good[0]!] });
const rate = '$.terms.OnDemand.SKU0.SKU0.JRTCKXETXF.priceDimensions.SKU0.JRTCKXETXF.R0';

/** Another book, with the price of Nova Micro's output in Ireland changed. */
function otherBook(change: (file: PriceBookFile) => unknown): string {
  const file = bookFile();
  pricesOf(file, 'eu-west-1')!.output_per_1k = '0.00017';
  change(file);
  return JSON.stringify(file);
}
const inputPath = `$.inference.models.${bookFile().inference.models.findIndex(({ id }) => id === nova)}.prices.eu-west-1.input_per_1k`;
/** A model that the book does not have, of Amazon. */
const newModel = (file: PriceBookFile, id: string, price: string) =>
  file.inference.models.push({
    ...modelOf(file)!,
    id,
    prices: { 'us-east-1': { input_per_1k: price, output_per_1k: '0.0002' } },
  });

const repeating = `0.${'3'.repeat(30)}`;
const keepsInput = (next: PriceBookFile) => expect(pricesOf(next, 'eu-west-1')?.input_per_1k).to.equal('0.00004');
const keepsQueue = (next: PriceBookFile) => {
  const { standard, fifo } = next.queue.regions['us-east-1']!;
  expect(standard).to.deep.equal(bookFile().queue.regions['us-east-1']?.standard);
  expect(fifo?.tiers[1]?.price_per_million).to.equal('0.41');
};

/** Why a price is not used, and what the next book has beside the prices that are not at fault. */
type Fault = readonly [name: string, text: string, where: string, reason: RegExp, check: (next: PriceBookFile) => void];

/** A fault in the price of a known model, as the vendor and another book have it. */
const faultsOfBoth: readonly [name: string, ofVendor: OfferProduct, RegExp, inBook: unknown, RegExp][] = [
  [
    'a price per 1K in a field per token',
    input('0.00004', 'eu-west-1', 'tokens'),
    /changes from 0\.00004 to 0\.04, by more than a factor of 10/,
    '0.04',
    /changes from 0\.00004 to 0\.04, by more than a factor of 10/,
  ],
  ['a price of minus one', input('-1'), /"-1" is not a price/, '-1', /decimal string with at most \d+ .* not "-1"/],
  ['a price of null', input(null as never), /"null" is not a price/, null, /not null/],
  ['a price with an exponent', input('4e-05'), /"4e-05" is not a price/, '4e-5', /not "4e-5"/],
  ['more digits than the book holds', input(repeating), /30 decimals .* which holds 21/, repeating, /not "0.3+"/],
];

const unusedOfVendor: readonly Fault[] = [
  ...faultsOfBoth.map(([name, product, reason]): Fault => [name, offer(product), rate, reason, keepsInput]),
  [
    'a price per 1K in a field per token, of a known model in a new Region',
    offer(input('0.00004', 'af-south-1', 'tokens')),
    rate,
    /0\.04 is more than ten times off the \d+ prices/,
    (next) => expect(pricesOf(next, 'af-south-1')).to.equal(undefined),
  ],
  [
    'one bad entry among 2,000',
    offer(input('-1'), ...Array.from({ length: 2_000 }, () => input('0.000035', 'us-east-1'))),
    rate,
    /"-1" is not a price/,
    keepsInput,
  ],
];

const modelsBefore = bookFile().inference.models.length;
const unusedOfBook: readonly Fault[] = [
  ...faultsOfBoth.map(([name, , , value, reason]): Fault => {
    const text = otherBook((file) => Object.assign(pricesOf(file, 'eu-west-1')!, { input_per_1k: value }));
    return [name, text, inputPath, reason, keepsInput];
  }),
  [
    'a price per 1K in a field per token, of a new model',
    otherBook((file) => newModel(file, 'amazon.nova-9-v1:0', '30')),
    `$.inference.models.${modelsBefore}.prices.us-east-1.input_per_1k`,
    /the new price 30 is more than ten times off the \d+ prices/,
    (next) => expect(modelOf(next, 'amazon.nova-9-v1:0')).to.equal(undefined),
  ],
  [
    'a queue tier of minus one',
    otherBook((file) => {
      file.queue.regions['us-east-1']!.standard!.tiers[1]!.price_per_million = '-1';
      file.queue.regions['us-east-1']!.fifo!.tiers[1]!.price_per_million = '0.41';
    }),
    '$.queue.regions.us-east-1.standard',
    /must be a decimal string with at most \d+ decimals, not "-1"/,
    keepsQueue,
  ],
  [
    'a function price with more digits',
    otherBook((file) => file.function.regions['eu-west-1']!.arm64_prices_per_gb_second.splice(1, 1, repeating)),
    '$.function.regions.eu-west-1.arm64_prices_per_gb_second',
    /at most \d+ decimals, not "0.3+"/,
    (next) => expect(next.function).to.deep.equal(bookFile().function),
  ],
  [
    'one bad model among 2,000',
    otherBook((file) => {
      for (let at = 0; at < 2_000; at++) newModel(file, `amazon.nova-${at + 10}-v1:0`, at === 1_000 ? '-1' : '0.0001');
    }),
    `$.inference.models.${modelsBefore + 1_000}.prices.us-east-1.input_per_1k`,
    /must be a decimal string with at most \d+ decimals, not "-1"/,
    (next) => expect(next.inference.models).to.have.length(modelsBefore + 1_999),
  ],
];

/** Sources with a key twice are refused as a whole. */
const refused: readonly (readonly ['aws' | 'book', text: string, where: string])[] = [
  [
    'aws',
    offer(input('0.00004')).replace('"USD":"0.00004"', '"USD":"0.00004","USD":"0.00005"'),
    `${rate}.pricePerUnit.USD`,
  ],
  ['aws', offer(input('0.00004'), input('0.00005')).replaceAll('SKU1', 'SKU0'), '$.products.SKU0'],
  [
    'book',
    otherBook(() => undefined).replace('"input_per_1k":', '"input_per_1k":"0.1","input_per_1k":'),
    '$.inference.models.0.prices.us-east-1.input_per_1k',
  ],
];

describe('a faulty price of a source', () => {
  const folder = createTemporaryFolder();
  const planOf = async (kind: 'aws' | 'book', text: string) => {
    const location = join(folder.path, 'file.json');
    await writeFile(location, text);
    return planChanges(bookFile(), await readSource({ kind, location }, bookFile()), { today });
  };

  for (const [kind, faults] of [
    ['aws', unusedOfVendor],
    ['book', unusedOfBook],
  ] as const)
    for (const [name, text, where, reason, check] of faults)
      it(`${name}, in a source of the kind ${kind}, is not used, and nothing else is lost`, async () => {
        const { next, unused, refusals } = await planOf(kind, text);
        expect(unused[0]?.where).to.equal(`${join(folder.path, 'file.json')}: ${where}`);
        expect(unused[0]?.reason).to.match(reason);
        expect(refusals).to.deep.equal([]);
        expect(pricesOf(next!, 'eu-west-1')?.output_per_1k, 'a price that is not at fault').to.equal('0.00017');
        check(next!);
      });

  for (const [kind, text, where] of refused)
    it(`a key twice refuses the source with its path: ${where}`, async () => {
      const [first] = (await planOf(kind, text)).refusals;
      expect(first?.where).to.equal(`${join(folder.path, 'file.json')}: ${where}`);
      expect(first?.reason).to.match(/this key twice/);
    });
});
