import { type InferencePricesFile, type PriceBookFile, secondSource } from '../price-book-file.ts';
import type { SourceKind } from '../price-sources/price-point.ts';
import type { Finding } from './finding.ts';
import { sourceOf } from './refresh-source.ts';

/** The Region of prices that a second source gives without one; docs/prices.md has the reason. */
const unnamedRegion = 'us-east-1';

/** Adds the models that a second source names and the book lacks. */
export function addModels(file: PriceBookFile, kind: SourceKind, additions: readonly Finding[]): void {
  for (const [id, found] of groupBy(additions, ({ item }) => item)) {
    const prices = Object.fromEntries(
      [...groupBy(found, ({ scope }) => (scope === 'any' ? unnamedRegion : scope))].flatMap(([scope, ofScope]) => {
        const own = pricesOf(ofScope);
        return own ? [[scope, own]] : [];
      }),
    );
    const [first] = found;
    if (first === undefined || Object.keys(prices).length === 0) continue;
    const { id: sourceId, source } = sourceOf(kind, first.date);
    if (!file.sources.some((known) => known.id === sourceId)) file.sources.push(source);
    file.inference.models.push({
      id,
      name: first.newModel?.name ?? id,
      provider: id.slice(0, id.indexOf('.')),
      kind: 'text',
      status: secondSource,
      as_of: first.date ?? 'unknown',
      sources: [sourceId],
      tokenizer: {
        encoding: 'o200k_base',
        multiplier: '1.00',
        exact: false,
        basis: 'The tokenizer is not known: counts are those of the encoding.',
      },
      prices,
    });
  }
}

/** Undefined without both standard prices: a missing price must not become zero. */
function pricesOf(found: readonly Finding[]): InferencePricesFile | undefined {
  // A price of the Region replaces one without a Region.
  const ordered = found.toSorted((a, b) => Number(b.scope === 'any') - Number(a.scope === 'any'));
  const prices = Object.fromEntries(ordered.map(({ kind, new: amount }) => [`${kind}_per_1k`, amount]));
  const { batch_input_per_1k: batchInput, batch_output_per_1k: batchOutput, ...others } = prices;
  if (!others['input_per_1k'] || !others['output_per_1k']) return undefined;
  const batch = batchInput && batchOutput ? { batch_input_per_1k: batchInput, batch_output_per_1k: batchOutput } : {};
  return { ...others, ...batch } as InferencePricesFile;
}

function groupBy<Row>(rows: readonly Row[], keyOfRow: (row: Row) => string): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const group = groups.get(keyOfRow(row)) ?? [];
    group.push(row);
    groups.set(keyOfRow(row), group);
  }
  return groups;
}
