import { type InferencePricesFile, type PriceBookFile, secondSource } from '../price-book-file.ts';
import type { SourceKind } from '../price-sources/price-point.ts';
import type { Finding } from './finding.ts';
import { sourceOf } from './refresh-source.ts';

/**
 * Adds the models that a second source names and the book lacks.
 * @param additions complete prices, each once.
 */
export function addModels(file: PriceBookFile, kind: SourceKind, additions: readonly Finding[]): void {
  for (const [id, found] of groupBy(additions, ({ item }) => item)) {
    const prices = Object.fromEntries(
      [...groupBy(found, ({ scope }) => scope)].map(([scope, ofScope]) => [scope, pricesOf(ofScope)]),
    );
    const [first] = found;
    if (first === undefined) continue;
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

const pricesOf = (found: readonly Finding[]): InferencePricesFile =>
  Object.fromEntries(
    found.map(({ kind, new: amount }) => [`${kind}_per_1k`, amount]),
  ) as unknown as InferencePricesFile;

function groupBy<Row>(rows: readonly Row[], keyOfRow: (row: Row) => string): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const group = groups.get(keyOfRow(row)) ?? [];
    group.push(row);
    groups.set(keyOfRow(row), group);
  }
  return groups;
}
