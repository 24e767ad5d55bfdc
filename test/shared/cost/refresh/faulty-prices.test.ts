import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { PriceBookFile } from '../../../../shared/cost/price-book-file.ts';
import { planChanges } from '../../../../shared/cost/refresh/plan-changes.ts';
import { readSource } from '../../../../shared/cost/refresh/read-source.ts';
import { createTemporaryFolder } from '../../../support/temporary-folder.ts';
import { offerFile, queueProduct, tokenProduct } from './offer-files.ts';
import { bookFile, today } from './read-text.ts';

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
const offer = (...products: typeof good) =>
  offerFile({ offerCode: 'AmazonBedrock', products: [...products, good[0]!] });
const rate = '$.terms.OnDemand.SKU0.SKU0.JRTCKXETXF.priceDimensions.SKU0.JRTCKXETXF.R0';

/** Another book, with the price of Nova Micro's output in Ireland changed. */
function otherBook(change: (file: PriceBookFile) => void): string {
  const file = bookFile();
  pricesOf(file, 'eu-west-1')!.output_per_1k = '0.00017';
  change(file);
  return JSON.stringify(file);
}
const withInput = (value: unknown) =>
  otherBook((file) => Object.assign(pricesOf(file, 'eu-west-1')!, { input_per_1k: value }));
const inputPath = `$.inference.models.${bookFile().inference.models.findIndex(({ id }) => id === nova)}.prices.eu-west-1.input_per_1k`;
/** A model that the book does not have, of Amazon. */
const newModel = (file: PriceBookFile, id: string, price: string) =>
  file.inference.models.push({
    ...modelOf(file)!,
    id,
    prices: { 'us-east-1': { input_per_1k: price, output_per_1k: '0.0002' } },
  });

interface Row {
  source: 'aws' | 'book';
  text: string;
  /** Why and where the price is not used, or the whole source is refused. */
  unused?: [where: string, reason: RegExp];
  refused?: [where: string, reason: RegExp];
  /** Checks the next book beside the prices that are not at fault. */
  check?: (next: PriceBookFile) => void;
}

const keepsInput = (next: PriceBookFile) => expect(pricesOf(next, 'eu-west-1')?.input_per_1k).to.equal('0.00004');
const repeating = `0.${'3'.repeat(30)}`;

const faults: Record<string, Row> = {
  'a price per 1K in a field per token, of a known model, by the vendor': {
    source: 'aws',
    text: offer(input('0.00004', 'eu-west-1', 'tokens')),
    unused: [rate, /changes from 0\.00004 to 0\.04, by more than a factor of 10/],
    check: keepsInput,
  },
  'a price per 1K in a field per token, of a known model in a new Region, by the vendor': {
    source: 'aws',
    text: offer(input('0.00004', 'af-south-1', 'tokens')),
    unused: [rate, /0\.04 is more than ten times off the \d+ prices/],
    check: (next) => expect(pricesOf(next, 'af-south-1')).to.equal(undefined),
  },
  'a price of minus one by the vendor': {
    source: 'aws',
    text: offer(input('-1')),
    unused: [rate, /"-1" is not a price/],
    check: keepsInput,
  },
  'a price of null by the vendor': {
    source: 'aws',
    text: offer(input('9')).replace('"USD":"9"', '"USD":null'),
    unused: [rate, /"null" is not a price/],
    check: keepsInput,
  },
  'a price with an exponent by the vendor': {
    source: 'aws',
    text: offer(input('4e-05')),
    unused: [rate, /"4e-05" is not a price/],
    check: keepsInput,
  },
  'more digits than the book holds by the vendor': {
    source: 'aws',
    text: offer(input(repeating)),
    unused: [rate, /30 decimals in the unit of the price book, which holds 21/],
    check: keepsInput,
  },
  'a key twice in an entry of the vendor': {
    source: 'aws',
    text: offer(input('0.00004')).replace('"USD":"0.00004"', '"USD":"0.00004","USD":"0.00005"'),
    refused: [`${rate}.pricePerUnit.USD`, /this key twice/],
  },
  'a product twice by the vendor': {
    source: 'aws',
    text: offer(input('0.00004'), input('0.00005')).replaceAll('SKU1', 'SKU0'),
    refused: ['$.products.SKU0', /this key twice/],
  },
  'one bad entry among 2,000 of the vendor': {
    source: 'aws',
    text: offer(input('-1'), ...Array.from({ length: 2_000 }, () => input('0.000035', 'us-east-1'))),
    unused: [rate, /"-1" is not a price/],
    check: keepsInput,
  },
  'a price per 1K in a field per token, of a known model, in another book': {
    source: 'book',
    text: withInput('0.04'),
    unused: [`inference eu-west-1 ${nova} input`, /changes from 0\.00004 to 0\.04, by more than a factor of 10/],
    check: keepsInput,
  },
  'a price per 1K in a field per token, of a new model, in another book': {
    source: 'book',
    text: otherBook((file) => newModel(file, 'amazon.nova-9-v1:0', '30')),
    unused: [
      'inference us-east-1 amazon.nova-9-v1:0 input',
      /the new price 30 is more than ten times off the \d+ prices/,
    ],
    check: (next) => expect(modelOf(next, 'amazon.nova-9-v1:0')).to.equal(undefined),
  },
  'a price of minus one in another book': {
    source: 'book',
    text: withInput('-1'),
    unused: [inputPath, /must be a decimal string with at most \d+ decimals, not "-1"/],
    check: keepsInput,
  },
  'a price of null in another book': {
    source: 'book',
    text: withInput(null),
    unused: [inputPath, /not null/],
    check: keepsInput,
  },
  'a price with an exponent in another book': {
    source: 'book',
    text: withInput('4e-5'),
    unused: [inputPath, /not "4e-5"/],
    check: keepsInput,
  },
  'more digits than the book holds in another book': {
    source: 'book',
    text: withInput(repeating),
    unused: [inputPath, /at most \d+ decimals, not "0.3+"/],
    check: keepsInput,
  },
  'a queue tier of minus one in another book': {
    source: 'book',
    text: otherBook((file) => {
      file.queue.regions['us-east-1']!.standard!.tiers[1]!.price_per_million = '-1';
      file.queue.regions['us-east-1']!.fifo!.tiers[1]!.price_per_million = '0.41';
    }),
    unused: ['$.queue.regions.us-east-1.standard', /must be a decimal string with at most \d+ decimals, not "-1"/],
    check: (next) => {
      expect(next.queue.regions['us-east-1']?.standard).to.deep.equal(bookFile().queue.regions['us-east-1']?.standard);
      expect(next.queue.regions['us-east-1']?.fifo?.tiers[1]?.price_per_million).to.equal('0.41');
    },
  },
  'a function price with more digits in another book': {
    source: 'book',
    text: otherBook((file) => {
      file.function.regions['eu-west-1']!.arm64_prices_per_gb_second[1] = repeating;
    }),
    unused: ['$.function.regions.eu-west-1.arm64_prices_per_gb_second', /at most \d+ decimals, not "0.3+"/],
    check: (next) => expect(next.function).to.deep.equal(bookFile().function),
  },
  'a key twice in another book': {
    source: 'book',
    text: otherBook(() => undefined).replace('"input_per_1k":', '"input_per_1k":"0.1","input_per_1k":'),
    refused: ['$.inference.models.0.prices.us-east-1.input_per_1k', /this key twice/],
  },
  'one bad model among 2,000 of another book': {
    source: 'book',
    text: otherBook((file) => {
      for (let at = 0; at < 2_000; at++) newModel(file, `amazon.nova-${at + 10}-v1:0`, at === 1_000 ? '-1' : '0.0001');
    }),
    unused: [
      '$.inference.models.1077.prices.us-east-1.input_per_1k',
      /must be a decimal string with at most \d+ decimals, not "-1"/,
    ],
    check: (next) => expect(next.inference.models).to.have.length(bookFile().inference.models.length + 1_999),
  },
};

describe('a faulty price of a source', () => {
  const folder = createTemporaryFolder();

  for (const [name, { source, text, unused, refused, check }] of Object.entries(faults)) {
    it(`${name} is ${refused ? 'refused with its path' : 'not used, and nothing else is lost'}`, async () => {
      const location = join(folder.path, 'file.json');
      await writeFile(location, text);
      const reading = await readSource({ kind: source, location }, bookFile());
      const { next, unused: left, refusals } = planChanges(bookFile(), reading, { today });
      const [where, reason] = (refused ?? unused)!;
      const [first] = refused ? refusals : left;
      expect(first?.where).to.equal(`${location}: ${where}`);
      expect(first?.reason).to.match(reason);
      if (refused) return;
      expect(refusals).to.deep.equal([]);
      expect(pricesOf(next!, 'eu-west-1')?.output_per_1k, 'a price that is not at fault').to.equal('0.00017');
      check?.(next!);
    });
  }

  it('large changes are used if they are accepted', async () => {
    const location = join(folder.path, 'file.json');
    await writeFile(location, withInput('0.04'));
    const reading = await readSource({ kind: 'book', location }, bookFile());
    const { next } = planChanges(bookFile(), reading, { today, acceptLargeChanges: true });
    expect(pricesOf(next!, 'eu-west-1')?.input_per_1k).to.equal('0.04');
  });
});
