// The agreement of the price book with the installed package of genai-prices.
import { readFileSync } from 'node:fs';
import { newestDay } from '../../shared/cost/newest-day.ts';
import { checkPriceBookFile } from '../../shared/cost/price-book-file.ts';
import { comparePrices } from '../../shared/cost/price-changes/compare-prices.ts';
import type { Comparison } from '../../shared/cost/price-changes/finding.ts';
import { readSource } from '../../shared/cost/price-sources/read-source.ts';
import { summarizeCheck } from '../prices/check-tables.ts';
import { tableOf, wrap } from './markdown.ts';

const notAdded = 'cache reads: no list of the vendor has the price, and a second source adds none to a known model';

/** Why prices of a model differ, or are not in the book. */
const reasons: Readonly<Record<string, string>> = {
  'amazon.nova-2-lite-v1:0': notAdded,
  'amazon.nova-premier-v1:0': notAdded,
  'anthropic.claude-3-5-sonnet-20240620-v1:0': "cache reads and writes: the vendor's page says that there are none",
};

/** The sections of docs/prices.md that compare the book with genai-prices. */
export const agreementSections: Readonly<Record<string, () => Promise<string>>> = {
  agreement: async () => renderAgreement(await compareWithPackage()),
  'without-region': async () => renderWithoutRegion(await compareWithPackage()),
};

const fileAt = (path: string): unknown => JSON.parse(readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8'));
const book = () => checkPriceBookFile(fileAt('shared/cost/price-book.json'));

/** Compares on the day of the newest evidence: texts must not change with the day of a test. */
async function compareWithPackage(): Promise<Comparison> {
  const file = book();
  const today = newestDay(file.as_of) ?? '';
  return comparePrices(file, await readSource({ kind: 'genai-prices', location: '' }, file, today), { today });
}

/** @throws Error if a difference has no reason, or a reason has no difference. */
function renderAgreement(comparison: Comparison): string {
  const { version } = fileAt('node_modules/@pydantic/genai-prices/package.json') as { version: string };
  const rows = summarizeCheck(comparison);
  const explained = rows.filter(({ differ, onlyInSource }) => differ + onlyInSource > 0).map(({ item }) => item);
  if (explained.join() !== Object.keys(reasons).join()) {
    throw new Error(`price-agreement.ts must have reasons for ${explained.join(', ')}, in this order.`);
  }
  const sum = (key: 'agree' | 'differ' | 'onlyInSource') => rows.reduce((total, row) => total + row[key], 0);
  const summary =
    `With version ${version} of the package, ${sum('agree')} prices of ${rows.length} models agree with the book, ` +
    `${sum('differ')} differ, and ${sum('onlyInSource')} are not in the book.`;
  const statuses = new Map(book().inference.models.map(({ id, status }) => [id, status]));
  const table = tableOf(
    ['model', 'status', 'agree', 'differ', 'not in the book'],
    rows.map(({ item, agree, differ, onlyInSource }) => [
      `\`${item}\``,
      (statuses.get(item) ?? '').replace('_', ' '),
      ...[agree, differ, onlyInSource].map(String),
    ]),
  );
  const list = Object.entries(reasons).map(([id, reason]) =>
    wrap(`\`${id}\`: ${reason}`, { first: '- ', others: '  ' }),
  );
  return [wrap(summary), list.join('\n'), table].join('\n\n');
}

/** Whether prices without a Region are those of us-east-1, for models of the vendor's lists. */
function renderWithoutRegion({ findings }: Comparison): string {
  const { models } = book().inference;
  const listed = new Map(models.filter(({ status }) => status !== 'second_source').map((model) => [model.id, model]));
  const matches = findings.filter(({ type, scope, item }) => type === 'same' && scope === 'any' && listed.has(item));
  const row = (name: string, isIn: (prices: object) => boolean) => {
    const prices = matches.filter(({ item }) => isIn(listed.get(item)?.prices ?? {}));
    const same = prices.filter(({ note }) => note === 'price of us-east-1');
    return [name, String(new Set(prices.map(({ item }) => item)).size), String(prices.length), String(same.length)];
  };
  return tableOf(
    ['the book has the model', 'models', 'prices', 'of them those of `us-east-1`'],
    [
      row('in `us-east-1`', (prices) => 'us-east-1' in prices),
      row('in other Regions only', (prices) => !('us-east-1' in prices)),
    ],
  );
}
