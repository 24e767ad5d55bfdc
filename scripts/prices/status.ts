import type { PriceBookFile } from '../../shared/cost/price-book-file.ts';
import { versionOf } from '../../shared/cost/price-book-version.ts';
import { bookLines } from '../../shared/cost/price-changes/book-lines.ts';
import { evidenceOf, newestDay } from '../../shared/cost/price-evidence.ts';
import { day } from '../../shared/durations.ts';
import { compactTable } from './terminal.ts';

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
}

/** The age of a book's evidence. */
export function bookStatus(book: PriceBookFile, now: Date): BookStatus {
  const ageOf = (text: string): number | null => {
    const date = newestDay(text);
    return date === null ? null : Math.floor((now.getTime() - Date.parse(date)) / day);
  };
  const oldest = oldestEvidence(book);
  const part = (name: string): Part => {
    const asOf = oldest.get(name) ?? '';
    return { part: name, as_of: asOf, age_days: ageOf(asOf) };
  };
  const without = (regions: object) =>
    book.regions.map(({ code }) => code).filter((code) => !Object.hasOwn(regions, code));
  return {
    version: versionOf(book),
    parts: [
      part('queue'),
      ...Object.keys(book.queue.regions).map((code) => part(`queue ${code}`)),
      part('function'),
      part('inference'),
    ],
    regions_without_source: { queue: without(book.queue.regions), function: without(book.function.regions) },
    old_models: book.inference.models
      .map(({ id, as_of: common }) => ({ model: id, as_of: oldest.get(`inference ${id}`) ?? common }))
      .map(({ model, as_of: asOf }) => ({ model, as_of: asOf, age_days: ageOf(asOf) }))
      .filter(({ age_days: age }) => age === null || age > oldAfterDays),
  };
}

/** The oldest evidence among the prices of each service, Region of the queue, and model. */
function oldestEvidence(book: PriceBookFile): Map<string, string> {
  const oldest = new Map<string, string>();
  for (const line of bookLines(book).values()) {
    const asOf = evidenceOf(book, line)?.as_of ?? '';
    const part = `${line.service} ${line.service === 'inference' ? line.item : line.scope}`;
    for (const key of [line.service, part]) {
      const known = oldest.get(key);
      if (known === undefined || (newestDay(asOf) ?? '') < (newestDay(known) ?? '')) oldest.set(key, asOf);
    }
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
      ['part', 'oldest evidence', 'age in days'],
      status.parts.map((part) => [part.part, part.as_of, part.age_days ?? 'unknown']),
    ),
    `Regions without a sourced queue price: ${list(queue)}`,
    `Regions without a sourced function price: ${list(functions)}`,
    `Models whose evidence is older than ${oldAfterDays} days: ${status.old_models.length}`,
    ...(status.old_models.length === 0
      ? []
      : [
          compactTable(
            ['model', 'oldest evidence', 'age in days'],
            status.old_models.map((row) => [row.model, row.as_of, row.age_days ?? 'unknown']),
          ),
        ]),
  ].join('\n');
}
