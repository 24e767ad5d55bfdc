import { newestDay } from '../../shared/cost/newest-day.ts';
import type { PriceBookFile } from '../../shared/cost/price-book-file.ts';
import { versionOf } from '../../shared/cost/price-book-version.ts';
import { bookLines } from '../../shared/cost/price-changes/book-lines.ts';
import type { Comparison } from '../../shared/cost/price-changes/finding.ts';
import { evidenceOf } from '../../shared/cost/price-evidence.ts';
import { day } from '../../shared/durations.ts';
import { compactTable } from './compact-table.ts';
import { describeLine } from './diff-tables.ts';

const oldAfterDays = 90;

interface Part {
  part: string;
  as_of: string;
  /** Null if the date of the evidence names no day. */
  age_days: number | null;
}

interface BookStatus {
  version: string;
  parts: Part[];
  regions_without_source: Record<'queue' | 'function', string[]>;
  old_models: { model: string; as_of: string; age_days: number | null }[];
  disputes: { price: string; book: string | null; source: string | null; where: string }[];
}

/** The age of a book's evidence, and what a second source disputes. */
export function bookStatus(book: PriceBookFile, { findings }: Comparison, now: Date): BookStatus {
  const ageOf = (text: string): number | null => {
    const date = newestDay(text);
    return date === null ? null : Math.floor((now.getTime() - Date.parse(date)) / day);
  };
  const part = (name: string, asOf: string): Part => ({ part: name, as_of: asOf, age_days: ageOf(asOf) });
  const oldest = oldestEvidence(book);
  const without = (regions: object) =>
    book.regions.map(({ code }) => code).filter((code) => !Object.hasOwn(regions, code));
  return {
    version: versionOf(book),
    parts: [
      part('queue', book.queue.as_of),
      ...Object.entries(book.queue.regions).map(([code, { as_of: asOf }]) =>
        part(`queue ${code}`, oldest.get(`queue ${code}`) ?? asOf),
      ),
      part('function', book.function.as_of),
      part('inference', book.inference.as_of),
    ],
    regions_without_source: { queue: without(book.queue.regions), function: without(book.function.regions) },
    old_models: book.inference.models
      .map(({ id, as_of: common }) => ({ model: id, as_of: oldest.get(`inference ${id}`) ?? common }))
      .map(({ model, as_of: asOf }) => ({ model, as_of: asOf, age_days: ageOf(asOf) }))
      .filter(({ age_days: age }) => age === null || age > oldAfterDays),
    disputes: findings
      .filter(({ type }) => type === 'dispute')
      .map((finding) => ({
        price: describeLine(finding),
        book: finding.old,
        source: finding.new,
        where: finding.where,
      })),
  };
}

/** The oldest evidence among the prices of each Region of the queue, and of each model. */
function oldestEvidence(book: PriceBookFile): Map<string, string> {
  const oldest = new Map<string, string>();
  for (const line of bookLines(book).values()) {
    const key = line.service === 'inference' ? `inference ${line.item}` : `${line.service} ${line.scope}`;
    const asOf = evidenceOf(book, line)?.as_of ?? '';
    const known = oldest.get(key);
    if (known === undefined || (newestDay(asOf) ?? '') < (newestDay(known) ?? '')) oldest.set(key, asOf);
  }
  return oldest;
}

/** `status` as text. */
export function formatStatus(status: BookStatus): string {
  const { queue, function: functions } = status.regions_without_source;
  const list = (codes: readonly string[]) => (codes.length === 0 ? 'none' : `${codes.length}: ${codes.join(', ')}`);
  return [
    `Price book ${status.version}`,
    compactTable(
      ['part', 'evidence', 'age in days'],
      status.parts.map((part) => [part.part, part.as_of, part.age_days ?? 'unknown']),
    ),
    `Regions without a sourced queue price: ${list(queue)}`,
    `Regions without a sourced function price: ${list(functions)}`,
    `Models whose evidence is older than ${oldAfterDays} days: ${status.old_models.length}`,
    ...(status.old_models.length === 0
      ? []
      : [
          compactTable(
            ['model', 'evidence', 'age in days'],
            status.old_models.map((row) => [row.model, row.as_of, row.age_days ?? 'unknown']),
          ),
        ]),
    `Prices that genai-prices disputes: ${status.disputes.length}`,
    ...(status.disputes.length === 0
      ? []
      : [
          compactTable(
            ['price', 'book', 'source'],
            status.disputes.map((row) => [row.price, row.book ?? '', row.source ?? '']),
          ),
        ]),
  ].join('\n');
}
