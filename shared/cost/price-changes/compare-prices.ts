import type { PriceBookFile } from '../price-book-file.ts';
import type { PriceLineId } from '../price-line.ts';
import type { PricePoint, SourceKind } from '../price-sources/price-point.ts';
import { type BookLine, bookLines } from './book-lines.ts';
import type { CompareOptions } from './compare-context.ts';
import { compareReplacement, findRemovals, findStale } from './compare-replacement.ts';
import { compareSecondSource, isSecondSource } from './compare-second-source.ts';
import { type Comparison, type Finding, toFinding } from './finding.ts';
import { holdBackIncomplete } from './incomplete-prices.ts';
import { joinTiers, keyOf, type Refusal } from './price-lines.ts';

/** Everything that a source said. */
interface ReadPrices {
  source: SourceKind;
  points: readonly PricePoint[];
  refusals: readonly Refusal[];
}

/**
 * Compares what a source said with a price book. The vendor's list (`aws`) and another `book`
 * replace prices. A second source confirms prices, disputes them, or adds models that the book
 * does not have.
 */
export function comparePrices(book: PriceBookFile, read: ReadPrices, options: CompareOptions): Comparison {
  const known = bookLines(book);
  const announced = read.points.filter((point) => isAnnounced(point, options.today));
  const current = read.points.filter((point) => !isAnnounced(point, options.today));
  const { lines, refusals } = joinTiers(current, (line) => freeUnits(book, line), read.source === 'book');
  const all = [...read.refusals, ...refusals];
  const found: Finding[] = [];
  const keys = new Set(lines.map(keyOf));
  const compare = isSecondSource(read.source) ? compareSecondSource : compareReplacement;
  for (const line of lines) {
    const result = compare(line, { book, known, read: keys, options });
    found.push(...result.findings);
    all.push(...result.refusals);
  }
  const findings = read.source === 'book' ? found : holdBackIncomplete(found, known, book);
  if (read.source === 'aws') findings.push(...findStale(findings, keys, known));
  if (read.source === 'book') {
    const removals = findRemovals(lines, known);
    findings.push(...removals.filter(({ service }) => options.only?.includes(service) ?? true));
  }
  return {
    findings: [...findings, ...announced.map((point) => toAnnouncement(point, known))],
    refusals: onceEach(all),
    lines,
  };
}

/**
 * Whether a price applies from a day for which there is no evidence yet. A vendor may withdraw a
 * change that it has announced.
 */
const isAnnounced = ({ effectiveDate, evidenceDate }: PricePoint, today: string): boolean =>
  effectiveDate !== null && (effectiveDate > today || (evidenceDate !== null && effectiveDate > evidenceDate));

function toAnnouncement(point: PricePoint, known: ReadonlyMap<string, BookLine>): Finding {
  const old = known.get(keyOf(point))?.steps.find(({ to }) => to === point.to)?.amount ?? null;
  return toFinding('announced', { ...point, steps: [], point }, point, old, `applies from ${point.effectiveDate}`);
}

function freeUnits(book: PriceBookFile, { service, kind }: PriceLineId): bigint {
  if (service === 'queue') return BigInt(book.queue.free_requests_per_month);
  if (service === 'inference') return 0n;
  const { free_gb_seconds_per_month: gbSeconds, free_requests_per_month: requests } = book.function;
  return BigInt(kind === 'gb_second' ? gbSeconds : requests);
}

/** The same reason is given once for each file. */
function onceEach(refusals: readonly Refusal[]): Refusal[] {
  return [...new Map(refusals.map((refusal) => [`${refusal.where} ${refusal.reason}`, refusal])).values()];
}
