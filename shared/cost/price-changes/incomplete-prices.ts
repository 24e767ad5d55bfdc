import type { PriceBookFile } from '../price-book-file.ts';
import type { InferenceKind } from '../price-line.ts';
import type { BookLine } from './book-lines.ts';
import type { Finding } from './finding.ts';
import { keyOf } from './price-lines.ts';

/**
 * Makes `extra` of additions that the book cannot hold: inference prices without both standard
 * prices, half of a pair of batch prices, and function prices of a Region whose other prices are
 * unknown. A missing price must not become zero.
 */
export function holdBackIncomplete(
  findings: readonly Finding[],
  known: ReadonlyMap<string, BookLine>,
  book: PriceBookFile,
): Finding[] {
  const read = new Set(findings.filter(({ new: amount }) => amount !== null).map(keyOf));
  const commercial = new Set(book.regions.flatMap(({ code, partition }) => (partition === 'aws' ? [code] : [])));
  const embeddings = new Set(book.inference.models.flatMap(({ id, kind }) => (kind === 'embedding' ? [id] : [])));

  function missingKind(finding: Finding): string | undefined {
    const { service, scope, item, kind } = finding;
    if (service === 'queue') return undefined;
    if (service === 'function') return book.function.regions[scope] ? undefined : 'price of ephemeral storage';
    const has = (name: InferenceKind) =>
      [scope, ...(commercial.has(scope) ? ['geo'] : [])].some((place) => {
        const key = keyOf({ service, scope: place, item, kind: name });
        return known.has(key) || (place === scope && read.has(key));
      });
    const pair = kind.startsWith('batch_') ? (['batch_input', 'batch_output'] as const) : [];
    // The output of an embedding is free.
    const standard = embeddings.has(item) ? (['input'] as const) : (['input', 'output'] as const);
    return [...standard, ...pair].find((name) => !has(name));
  }

  return findings.map((finding) => {
    const missing = finding.type === 'addition' ? missingKind(finding) : undefined;
    return missing === undefined ? finding : { ...finding, type: 'extra', note: `not added: no ${missing} price` };
  });
}
