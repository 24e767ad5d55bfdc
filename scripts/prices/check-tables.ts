import type { Comparison } from '../../shared/cost/price-changes/finding.ts';
import type { SourceReading } from '../../shared/cost/price-sources/read-source.ts';
import { findingsTable, formatRefusals, formatUnused } from './diff-tables.ts';
import { compactTable } from './terminal.ts';

interface Agreement {
  /** A model, or the service and item of other prices. */
  item: string;
  agree: number;
  differ: number;
  /** Prices that the book does not have. */
  onlyInSource: number;
}

/** The agreement of a source with the book by model. */
export function summarizeCheck({ findings }: Comparison): Agreement[] {
  const items = new Map<string, Agreement>();
  for (const { type, service, item } of findings) {
    if (type === 'removal' || type === 'stale' || type === 'announced') continue;
    const name = service === 'inference' ? item : `${service} ${item}`;
    const row = items.get(name) ?? { item: name, agree: 0, differ: 0, onlyInSource: 0 };
    if (type === 'same') row.agree++;
    else if (type === 'change' || type === 'dispute') row.differ++;
    else row.onlyInSource++;
    items.set(name, row);
  }
  return [...items.values()].sort((a, b) => a.item.localeCompare(b.item));
}

/** `check` as text. */
export function formatCheck(reading: SourceReading, comparison: Comparison, rows: readonly Agreement[]): string {
  const table = compactTable(
    ['', 'agree', 'differ', 'not in the book'],
    rows.map(({ item, agree, differ, onlyInSource }) => [item, agree, differ, onlyInSource]),
  );
  const differing = comparison.findings.filter(({ type }) => type === 'change' || type === 'dispute');
  const sum = (key: 'agree' | 'differ' | 'onlyInSource') => rows.reduce((total, row) => total + row[key], 0);
  return [
    ...(comparison.refusals.length > 0 ? [formatRefusals(comparison.refusals)] : []),
    ...(rows.length > 0 ? [table] : []),
    ...(differing.length > 0 ? [findingsTable(differing)] : []),
    `${sum('agree')} prices agree, ${sum('differ')} differ, ${sum('onlyInSource')} are not in the price book.`,
    ...formatUnused(reading),
  ].join('\n');
}
