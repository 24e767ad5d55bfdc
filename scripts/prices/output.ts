// The output of the commands: tables, JSON, and a progress bar.
import { SingleBar } from 'cli-progress';
import Table from 'cli-table3';
import { bookLines, evidenceOf } from '../../shared/cost/book-lines.ts';
import { type PriceBookFile, versionOf } from '../../shared/cost/price-book-file.ts';
import { keyOf, newestDay } from '../../shared/cost/price-line.ts';
import type { PricePlan } from '../../shared/cost/refresh/plan-changes.ts';
import type { OnProgress, SourceReading } from '../../shared/cost/refresh/source-file.ts';
import { day } from '../../shared/durations.ts';

/** The environment of a command, and where its texts go: the terminal, or a test. */
export interface Terminal {
  environment: NodeJS.ProcessEnv;
  print: (text: string) => void;
  printError: (text: string) => void;
}

/** A table without lines between its rows. */
function compactTable(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const chars = { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' };
  const table = new Table({ head: [...head], chars, style: { head: [], border: [] } });
  for (const row of rows) table.push([...row]);
  return table.toString();
}

/** Shows a progress bar on the standard error, if that is a terminal. */
export async function withProgress<T>(read: (onProgress: OnProgress) => Promise<T>): Promise<T> {
  if (!process.stderr.isTTY) return read(() => undefined);
  const bar = new SingleBar({
    format: 'Reading {bar} {percentage}% | {file}',
    barCompleteChar: '█',
    barIncompleteChar: '░',
    hideCursor: true,
    clearOnComplete: true,
    stream: process.stderr,
  });
  let current = '';
  const onProgress: OnProgress = (file, read, total) => {
    // Without a length, the bar shows a file as long as what has been read.
    if (file !== current) {
      bar.stop();
      bar.start(total ?? read, 0, { file });
      current = file;
    }
    bar.setTotal(total ?? read);
    bar.update(read, { file });
  };
  return read(onProgress).finally(() => bar.stop());
}

const oldAfterDays = 90;

type BookStatus = ReturnType<typeof bookStatus>;

/** The age of a book's evidence. */
export function bookStatus(book: PriceBookFile, now: Date) {
  /** Null if the date of the evidence names no day. */
  const ageOf = (text: string): number | null => {
    const date = newestDay(text);
    return date === null ? null : Math.floor((now.getTime() - Date.parse(date)) / day);
  };
  const oldest = oldestEvidence(book);
  const part = (name: string) => {
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
  const agesOf = (name: string, rows: readonly object[]) =>
    compactTable(
      [name, 'oldest evidence', 'age in days'],
      rows.map((row) => Object.values(row).map((cell) => cell ?? 'unknown')),
    );
  return [
    `Price book ${status.version}`,
    agesOf('part', status.parts),
    `Regions without a sourced queue price: ${list(queue)}`,
    `Regions without a sourced function price: ${list(functions)}`,
    `Models whose evidence is older than ${oldAfterDays} days: ${status.old_models.length}`,
    ...(status.old_models.length === 0 ? [] : [agesOf('model', status.old_models)]),
  ].join('\n');
}

/** The changes of a source as a table, and what is not used of it; or why it is refused. */
export function formatPlan(reading: SourceReading, { changes, agree, unused, refusals }: PricePlan): string {
  if (refusals.length > 0)
    return ['The source is refused, and nothing of it is used:', ...listPlaces(refusals)].join('\n');
  const rows = changes.map((change) => {
    const { type, old, percent, date, where } = change;
    return [type, describePrice(change), old ?? '', change.new ?? '', percent ?? '', date ?? '', where];
  });
  const names = [...reading.unmapped].map(([reason, where]) => ({ reason, where }));
  const section = (title: string, lines: readonly string[]) => (lines.length > 0 ? [title, ...lines] : []);
  return [
    ...(rows.length > 0 ? [compactTable(['', 'price', 'old', 'new', '%', 'date', 'source'], rows)] : []),
    `${reading.points.length} prices read, ${agree} agree, ${changes.length} would change.`,
    ...section('Not used, so that the book keeps its own price:', listPlaces(unused)),
    ...section(
      'Left out:',
      Array.from(reading.leftOut, ([reason, count]) => `  ${count} × ${reason}`),
    ),
    ...section('Not in the price book:', listPlaces(names)),
  ].join('\n');
}

/** The same as JSON, with everything that is listed. */
export function planToJson(reading: SourceReading, plan: PricePlan, more: object = {}): string {
  const { agree, changes, refusals, unused } = plan;
  const result = {
    read: reading.points.length,
    agree,
    ...more,
    changes,
    refusals,
    not_used: unused.map(({ where, reason }) => ({ where, reason })),
    unmapped: Array.from(reading.unmapped, ([name, where]) => ({ name, where })),
    left_out: Object.fromEntries(reading.leftOut),
  };
  return JSON.stringify(result, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value), 2);
}

const maxListed = 50;

function listPlaces(places: readonly { where: string; reason: string }[]): string[] {
  const lines = places.slice(0, maxListed).map(({ where, reason }) => `  ${where}: ${reason}`);
  return places.length > maxListed ? [...lines, `  and ${places.length - maxListed} more (--json lists all)`] : lines;
}

/** `function eu-west-1 x86_64 gb_second up to 6000000000`. */
const describePrice = ({ to, ...line }: PricePlan['changes'][number]): string =>
  keyOf(line) + (to === null ? '' : ` up to ${to}`);
