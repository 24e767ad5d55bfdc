// The changes of a price book by a source. The vendor's list replaces prices, another book the
// whole book. A price that cannot be trusted is not used, which says nothing about the others. A
// source that breaks the rules is refused as a whole.

import {
  type BookLine,
  bookLines,
  compareBooks,
  evidenceOf,
  type PriceChange,
  type PriceLine,
  restorePrice,
  setPrice,
} from '../book-lines.ts';
import { parseDecimal } from '../money.ts';
import { createPriceBook } from '../price-book.ts';
import type { PriceBookFile, PriceEvidenceFile } from '../price-book-file.ts';
import { type InferenceKind, keyOf, type PriceLineId, type Service, services } from '../price-line.ts';
import type { PricePoint, Refusal, SourceReading, UnusedPrice } from './source-file.ts';

interface PlanOptions {
  /** The day of the plan, `2026-11-23`. */
  today: string;
  /** Uses prices that are more than ten times another. */
  acceptLargeChanges?: boolean | undefined;
  /** The services whose prices change. Default: all. */
  only?: readonly Service[] | undefined;
}

export interface PlannedChange extends PriceChange {
  /** The day from which the new price applies, or of its evidence; null for a removal. */
  date: string | null;
  where: string;
}

export interface PricePlan {
  /** The book with the prices of the source, which is valid; absent if the source is refused. */
  next?: PriceBookFile;
  changes: PlannedChange[];
  /** How many prices of the source the book has already. */
  agree: number;
  unused: UnusedPrice[];
  /** If there is one, nothing of the source is used. */
  refusals: Refusal[];
}

/** A book, and its prices by `keyOf`. */
interface KnownPrices {
  book: PriceBookFile;
  known: ReadonlyMap<string, BookLine>;
}

/** A price of a source with all its tiers. */
interface ReadLine extends PriceLine {
  /** The point of the lowest tier, for dates and messages. */
  point: PricePoint;
  /** The price that applies today; absent for a new one. */
  old: BookLine | undefined;
}

export function planChanges(
  book: PriceBookFile,
  { points, unusable, refusals: unread, book: other }: Pick<SourceReading, 'points' | 'unusable' | 'refusals' | 'book'>,
  { today, acceptLargeChanges = false, only = services }: PlanOptions,
): PricePlan {
  const prices = { book, known: bookLines(book) };
  const plan: PricePlan = { changes: [], agree: 0, unused: [...unusable], refusals: [...unread] };
  const leaveOut = (line: PriceLineId, reason: string, where: string) =>
    plan.unused.push({ line, reason: `${keyOf(line)}: ${reason}`, where });
  const unreadable = new Set(unusable.map(({ line }) => keyOf(line)));
  const current: PricePoint[] = [];
  for (const point of points) {
    if (!only.includes(point.service) || unreadable.has(keyOf(point))) continue;
    if (!isAnnounced(point, today)) current.push(point);
    else leaveOut(point, `${point.amount} applies from ${point.effectiveDate}`, point.where);
  }
  // The makers also of models that only the source has.
  const models = [...(other?.inference.models ?? []), ...book.inference.models];
  const makers = new Map(models.map(({ id, provider }) => [id, provider]));
  const used: ReadLine[] = [];
  for (const line of joinTiers(current, prices, other !== undefined, plan.refusals)) {
    const reason = acceptLargeChanges ? undefined : findLargeChange(line, prices, makers);
    if (reason === undefined) used.push(line);
    else leaveOut(line, reason, line.point.where);
  }
  for (const line of used) plan.refusals.push(...findFaults(line, prices));
  const once = new Map(plan.refusals.map((refusal) => [`${refusal.where} ${refusal.reason}`, refusal]));
  plan.refusals = [...once.values()];
  if (plan.refusals.length > 0) return plan;
  const lines = used.filter((line) => {
    const missing = other ? undefined : findMissing(line, used, prices);
    if (missing !== undefined) leaveOut(line, `not added: no ${missing} price`, line.point.where);
    return missing === undefined;
  });
  try {
    const next = other ? replaceServices(other, only, plan.unused, prices) : replaceLines(lines, prices);
    createPriceBook(next);
    const same = lines.flatMap(({ steps, old }) => steps.filter((step) => amountIn(old, step) === step.amount));
    return { ...plan, next, agree: same.length, changes: changesBy(next, lines, prices) };
  } catch (error) {
    return { ...plan, refusals: [{ reason: (error as Error).message, where: other ? 'book' : 'aws' }] };
  }
}

/**
 * Whether a price applies from a day for which there is no evidence yet. A vendor may withdraw a
 * change that it has announced.
 */
const isAnnounced = ({ effectiveDate, evidenceDate }: PricePoint, today: string): boolean =>
  effectiveDate !== null && (effectiveDate > today || (evidenceDate !== null && effectiveDate > evidenceDate));

/** The price that applies today: a Region of a model can have that of all commercial Regions. */
function present(line: PriceLineId, { book, known }: KnownPrices): BookLine | undefined {
  const own = known.get(keyOf(line));
  if (own || line.service !== 'inference') return own;
  const isCommercial = book.regions.some(({ code, partition }) => code === line.scope && partition === 'aws');
  return isCommercial ? known.get(keyOf({ ...line, scope: 'geo' })) : undefined;
}

const amountIn = (line: PriceLine | undefined, { from, to }: { from: bigint; to: bigint | null }) =>
  line?.steps.find((step) => step.from === from && step.to === to)?.amount;

/**
 * Why a price is likely to be in another unit, such as per 1,000 tokens in a field per token: it is
 * more than ten times off the old price, or off every price of its kind that is comparable. Zero is
 * another fault.
 */
function findLargeChange(
  { old, steps, service, item, kind }: ReadLine,
  { known }: KnownPrices,
  makers: ReadonlyMap<string, string>,
): string | undefined {
  if (old) {
    const changes = steps.map((step) => ({ before: amountIn(old, step) ?? '0', now: step.amount }));
    const large = changes.find(({ before, now }) => isLargeChange(before, now));
    return large && `the price changes from ${large.before} to ${large.now}, by more than a factor of 10`;
  }
  const amount = steps[0]?.amount ?? '0';
  // The prices of the same item elsewhere, else those of other models of its maker, above zero.
  const ofKind = [...known.values()].filter((line) => line.service === service && line.kind === kind);
  const same = ofKind.filter((line) => line.item === item);
  const others = same.length > 0 ? same : ofKind.filter((line) => makers.get(line.item) === makers.get(item));
  const amounts = others.flatMap(({ steps: [first] }) => (first && first.amount !== '0' ? first.amount : []));
  if (amounts.length === 0 || !amounts.every((other) => isLargeChange(other, amount))) return undefined;
  return `the new price ${amount} is more than ten times off the ${amounts.length} prices that it compares with`;
}

/** Whether one of two amounts is more than ten times the other, and none is zero. */
function isLargeChange(one: string, other: string): boolean {
  const [a, b] = [parseDecimal(one, 24), parseDecimal(other, 24)];
  return a !== 0n && b !== 0n && (a > b * 10n || b > a * 10n);
}

/** Why the source of a price is refused: zero, evidence that is older, other tiers. */
function* findFaults(line: ReadLine, prices: KnownPrices): Generator<Refusal> {
  const { old, steps, kind, point } = line;
  const { where, evidenceDate: now } = point;
  const before = old?.evidenceDate ?? null;
  if (now !== null && before !== null && now < before) {
    const [file = where] = where.split(': $');
    yield { reason: `the prices of ${now} are older than those of the book, of ${before}`, where: file };
  }
  const other = otherTiers(line, prices);
  if (other) yield { reason: `${keyOf(line)}: ${other}`, where };
  for (const step of steps) {
    const amount = amountIn(old, step);
    // The output of an embedding is free.
    if (step.amount !== '0' || amount === '0' || (amount === undefined && kind === 'output')) continue;
    const reason = amount === undefined ? 'the price is zero' : `the price is zero, the book has ${amount}`;
    yield { reason: `${keyOf(line)}: ${reason}`, where };
  }
}

/** A price of other tiers is another price: a limit that moved is not a lower price. */
function otherTiers({ steps, ...line }: ReadLine, { book, known }: KnownPrices): string | undefined {
  const own = known.get(keyOf(line));
  const limits = steps.map(({ to }) => to);
  const isCompute = line.service === 'function' && line.kind === 'gb_second';
  const ofCompute = book.function.tier_limits_gb_seconds[line.item as 'x86_64' | 'arm64'];
  const expected = own?.steps.map(({ to }) => to) ?? (isCompute ? [...ofCompute.map(BigInt), null] : limits);
  const isSame = expected.every((limit, i) => limit === limits[i]);
  if (isSame && (limits.length === expected.length || own?.isComplete === false)) return undefined;
  const list = (ends: readonly (bigint | null)[]) => ends.map((end) => end ?? 'no limit').join(', ');
  return `the tiers end at ${list(limits)}, those of the book at ${list(expected)}`;
}

/**
 * The price without which the book cannot hold a new one of the vendor: both standard prices of a
 * model, both batch prices, or those of a Region of the function. It must not become zero.
 */
function findMissing(line: ReadLine, used: readonly ReadLine[], prices: KnownPrices): string | undefined {
  const { service, scope, item, kind } = line;
  if (service === 'queue' || line.old) return undefined;
  const { book } = prices;
  if (service === 'function') return book.function.regions[scope] ? undefined : 'price of ephemeral storage';
  const read = new Set(used.map(keyOf));
  const has = (name: InferenceKind) => {
    const other = { service, scope, item, kind: name };
    return present(other, prices) !== undefined || read.has(keyOf(other));
  };
  const pair = kind.startsWith('batch_') ? (['batch_input', 'batch_output'] as const) : [];
  // The output of an embedding is free.
  const isEmbedding = book.inference.models.some((model) => model.id === item && model.kind === 'embedding');
  const standard = isEmbedding ? (['input'] as const) : (['input', 'output'] as const);
  return [...standard, ...pair].find((name) => !has(name));
}

/** The book with prices of the vendor, and the dates of what it confirms. */
function replaceLines(lines: readonly ReadLine[], { book, known }: KnownPrices): PriceBookFile {
  const next = structuredClone(book);
  const evidence: Record<string, PriceEvidenceFile> = { ...next.evidence };
  for (const line of lines) {
    const date = line.point.evidenceDate;
    const source = {
      // One for each day on which prices were published.
      id: `refresh-aws-${date ?? 'undated'}`,
      title: 'AWS Price List Bulk API',
      publisher: 'Amazon Web Services',
      version: date ?? 'without a date',
      retrieved_via: 'npm run prices',
      supports: 'refreshed prices',
    };
    const origin = { as_of: date ?? 'unknown', sources: [source.id] };
    const isChanged = line.steps.some((step) => amountIn(line.old, step) !== step.amount);
    if (isChanged) setPrice(next, line, origin);
    // A Region without a price of its own confirms that of all commercial Regions.
    const key = isChanged || known.has(keyOf(line)) ? keyOf(line) : keyOf({ ...line, scope: 'geo' });
    if (!next.sources.some(({ id }) => id === source.id)) next.sources.push(source);
    evidence[key] = { effective_from: line.point.effectiveDate, ...origin };
    if (date !== null && date > next.as_of) next.as_of = date;
  }
  if (Object.keys(evidence).length > 0) next.evidence = evidence;
  return next;
}

/** The services of another book, with present prices in the place of those that are not used. */
function replaceServices(
  other: PriceBookFile,
  only: readonly Service[],
  unused: UnusedPrice[],
  { book, known }: KnownPrices,
): PriceBookFile {
  const isWhole = only.length === services.length;
  const next = structuredClone(other);
  if (!isWhole) {
    const isNamed = (key: string) => only.some((name) => key.startsWith(`${name} `));
    const evidence = [
      ...Object.entries(book.evidence ?? {}).filter(([key]) => !isNamed(key)),
      ...Object.entries(other.evidence ?? {}).filter(([key]) => isNamed(key)),
    ];
    const sections = Object.fromEntries(only.map((service) => [service, next[service]]));
    // Names and sources of both stay, because prices refer to them.
    const regions = joinBy(({ code }) => code, book.regions, next.regions);
    Object.assign(next, structuredClone(book), { as_of: other.as_of, regions, ...sections });
    next.evidence = Object.fromEntries(evidence);
  }
  if (!isWhole || unused.length > 0) next.sources = joinBy(({ id }) => id, book.sources, other.sources);
  for (const { line, where } of unused.slice()) {
    for (const lost of restorePrice(next, book, line)) {
      unused.push({ line: lost, reason: `${keyOf(lost)}: its ${line.kind} price is not used`, where });
    }
    const origin = known.has(keyOf(line)) ? evidenceOf(book, line) : undefined;
    next.evidence = { ...next.evidence };
    if (origin) next.evidence[keyOf(line)] = origin;
    else delete next.evidence[keyOf(line)];
  }
  return next;
}

const joinBy = <Row>(keyOfRow: (row: Row) => string, ...lists: readonly (readonly Row[])[]): Row[] => [
  ...new Map(lists.flat().map((row) => [keyOfRow(row), row])).values(),
];

/** The changes of the book, with what the source says about them. */
function changesBy(next: PriceBookFile, lines: readonly ReadLine[], prices: KnownPrices): PlannedChange[] {
  const byKey = new Map(lines.map((line) => [keyOf(line), line.point]));
  return compareBooks(prices.book, next, (line) => present(line, prices)).map((change) => {
    const point = byKey.get(keyOf(change));
    return {
      ...change,
      date: point?.effectiveDate ?? point?.evidenceDate ?? null,
      where: point?.where ?? 'the new book',
    };
  });
}

/**
 * Joins the tiers of each price. Tiers that overlap or leave a gap are refused, and tiers that end
 * with a limit unless `mayEnd`: a price book may lack the prices above a limit.
 */
function joinTiers(
  points: readonly PricePoint[],
  prices: KnownPrices,
  mayEnd: boolean,
  refusals: Refusal[],
): ReadLine[] {
  const groups = new Map<string, PricePoint[]>();
  for (const point of points) {
    const group = groups.get(keyOf(point)) ?? [];
    group.push(point);
    groups.set(keyOf(point), group);
  }
  const lines: ReadLine[] = [];
  for (const group of groups.values()) {
    const paid = withoutFreeTier(group, prices.book).toSorted((a, b) => Number(a.from - b.from));
    const [point] = paid;
    if (point === undefined) continue;
    const fault = findFault(paid, mayEnd);
    const { service, scope, item, kind } = point;
    const steps = paid.map(({ from, to, amount }) => ({ from, to, amount }));
    if (fault !== undefined) refusals.push(fault);
    else lines.push({ service, scope, item, kind, steps, point, old: present(point, prices) });
  }
  return lines;
}

/**
 * Removes repeated prices and the free tier, which the book holds apart: a price of zero beside a
 * paid one, for all units or for as many as are free. The paid tier then begins at zero.
 */
function withoutFreeTier(points: readonly PricePoint[], book: PriceBookFile): PricePoint[] {
  const distinct = new Map(points.map((point) => [`${point.from} ${point.to} ${point.amount}`, point]));
  const all = [...distinct.values()];
  const isFree = ({ amount, from, to, ...line }: PricePoint) =>
    amount === '0' &&
    from === 0n &&
    ((to !== null && to <= freeUnits(book, line)) ||
      (to === null && all.some((other) => other.amount !== '0' && other.from === 0n)));
  const free = all.filter(isFree);
  if (free.length === 0 || free.length === all.length) return all;
  return all
    .filter((point) => !free.includes(point))
    .map((point) => (free.some(({ to }) => to === point.from) ? { ...point, from: 0n } : point));
}

function freeUnits(book: PriceBookFile, { service, kind }: PriceLineId): bigint {
  if (service === 'queue') return BigInt(book.queue.free_requests_per_month);
  if (service === 'inference') return 0n;
  const { free_gb_seconds_per_month: gbSeconds, free_requests_per_month: requests } = book.function;
  return BigInt(kind === 'gb_second' ? gbSeconds : requests);
}

/** The first tier that does not begin where the previous one ends, or a last tier with a limit. */
function findFault(tiers: readonly PricePoint[], mayEnd: boolean): Refusal | undefined {
  let end: bigint | null = 0n;
  for (const [index, { from, to, amount, where }] of tiers.entries()) {
    if (end === null || from < end) {
      return { reason: `the price ${amount} and the price ${tiers[index - 1]?.amount} are for the same units`, where };
    }
    if (from > end) return { reason: `no tier has the units from ${end} to ${from}`, where };
    if (to !== null && to <= from) return { reason: `the tier ends at ${to}, before its begin`, where };
    end = to;
  }
  const last = tiers.at(-1);
  if (end === null || last === undefined || mayEnd) return undefined;
  return { reason: `no tier has the units above ${end}`, where: last.where };
}
