import type { PriceBookFile } from '../price-book-file.ts';
import { type InferenceKind, inferenceKinds, keyOf, type PriceLineId } from '../price-line.ts';
import type { PricePoint, SourceKind } from '../price-sources/price-point.ts';
import { type BookLine, bookLines } from './book-lines.ts';
import { type Comparison, type Finding, isLargeChange, type LeftOutPrice, toFinding } from './finding.ts';
import { joinTiers, type ReadLine, type Refusal } from './price-lines.ts';

/** Everything that a source said. */
interface ReadPrices {
  source: SourceKind;
  points: readonly PricePoint[];
  /** Prices that cannot be read. All tiers of their lines are left out. */
  unusable: readonly LeftOutPrice[];
  refusals: readonly Refusal[];
}

export interface CompareOptions {
  /** The day of the comparison, `2026-11-23`. */
  today: string;
  /** Accepts prices that are more than ten times another. */
  acceptLargeChanges?: boolean;
  /** The services whose prices are compared. Default: all. */
  only?: readonly PriceLineId['service'][] | undefined;
}

interface CompareContext {
  book: PriceBookFile;
  /** The prices of the book by `keyOf`. */
  known: ReadonlyMap<string, BookLine>;
}

/**
 * Compares what a source said with a price book. The vendor's list (`aws`) replaces prices, another
 * `book` the whole book. A price that is more than ten times its old one is left out, like one
 * that cannot be read: it says nothing about the others of the source.
 */
export function comparePrices(book: PriceBookFile, read: ReadPrices, options: CompareOptions): Comparison {
  const known = bookLines(book);
  const context: CompareContext = { book, known };
  const announced = read.points.filter((point) => isAnnounced(point, options.today));
  const current = read.points.filter((point) => !isAnnounced(point, options.today));
  const leftOut = [...read.unusable];
  const unread = new Set(leftOut.map(({ line }) => keyOf(line)));
  const readable = current.filter((point) => !unread.has(keyOf(point)));
  const joined = joinTiers(readable, (line) => freeUnits(book, line), read.source === 'book');
  const refusals = [...read.refusals, ...joined.refusals];
  const found: Finding[] = [];
  const lines: ReadLine[] = [];
  for (const line of joined.lines) {
    const reason = options.acceptLargeChanges === true ? undefined : findLargeChange(line, context);
    if (reason !== undefined) {
      leftOut.push({ line, reason: `${keyOf(line)}: ${reason}`, where: line.point.where });
      continue;
    }
    lines.push(line);
    const compared = compareLine(line, context);
    found.push(...compared.findings);
    refusals.push(...compared.refusals);
  }
  const findings =
    read.source === 'book' ? leaveOutDependent(found, leftOut, known) : holdBackIncomplete(found, context);
  if (read.source === 'aws') findings.push(...findStale(findings, new Set(lines.map(keyOf)), known));
  if (read.source === 'book') {
    const named = new Set([...lines.map(keyOf), ...leftOut.map(({ line }) => keyOf(line))]);
    const removals = findRemovals(lines, named, known);
    findings.push(...removals.filter(({ service }) => options.only?.includes(service) ?? true));
  }
  return {
    findings: [...findings, ...announced.map((point) => toAnnouncement(point, known))],
    leftOut,
    refusals: onceEach(refusals),
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

/**
 * Why a price is likely to be in another unit, such as per 1,000 tokens in a field per token: it is
 * more than ten times off the old price, or off every price of its kind that is comparable. Zero is
 * another fault.
 */
function findLargeChange(line: ReadLine, context: CompareContext): string | undefined {
  const old = context.known.get(keyOf(line)) ?? geoLine(line, context);
  if (old) {
    for (const { from, to, amount } of line.steps) {
      const before = old.steps.find((step) => step.from === from && step.to === to)?.amount ?? '0';
      if (amount !== '0' && before !== '0' && isLargeChange(before, amount))
        return `the price changes from ${before} to ${amount}, by more than a factor of 10`;
    }
    return undefined;
  }
  const amount = line.steps[0]?.amount ?? '0';
  const others = comparableAmounts(line, context);
  if (amount === '0' || others.length === 0 || !others.every((other) => isLargeChange(other, amount))) return undefined;
  return `the new price ${amount} is more than ten times off the ${others.length} prices that it compares with`;
}

/** The prices of the same item elsewhere, else those of other models of its maker, above zero. */
function comparableAmounts({ service, item, kind, point }: ReadLine, { book, known }: CompareContext): string[] {
  const ofKind = [...known.values()].filter((line) => line.service === service && line.kind === kind);
  const same = ofKind.filter((line) => line.item === item);
  const makers = new Map(book.inference.models.map(({ id, provider }) => [id, provider]));
  const maker = makers.get(item) ?? point.maker;
  const others = same.length > 0 ? same : ofKind.filter((line) => makers.get(line.item) === maker);
  return others.flatMap(({ steps: [first] }) => (first && first.amount !== '0' ? first.amount : []));
}

interface LineComparison {
  findings: Finding[];
  refusals: Refusal[];
}

function compareLine(line: ReadLine, context: CompareContext): LineComparison {
  const { book, known } = context;
  const own = known.get(keyOf(line));
  const old = own ?? geoLine(line, context);
  const findings: Finding[] = [];
  const refusals = [...checkAge(line, old), ...checkTiers(line, own, book)];
  for (const step of line.steps) {
    const before = old?.steps.find(({ from, to }) => from === step.from && to === step.to)?.amount ?? null;
    // The output of an embedding is free.
    if (step.amount === '0' && before !== '0' && (before !== null || line.kind !== 'output')) {
      const reason = before === null ? 'the price is zero' : `the price is zero, the book has ${before}`;
      refusals.push({ reason: `${keyOf(line)}: ${reason}`, where: line.point.where });
    }
    const type = before === null ? 'addition' : before === step.amount ? 'same' : 'change';
    const note = own === undefined && before !== null ? 'the book has one price for all commercial Regions' : undefined;
    findings.push(toFinding(type, line, step, before, note));
  }
  return { findings, refusals };
}

/** The price that applies to the Region today: that of all commercial Regions. */
function geoLine(line: ReadLine, { book, known }: CompareContext): BookLine | undefined {
  const isCommercial = book.regions.some(({ code, partition }) => code === line.scope && partition === 'aws');
  return line.service === 'inference' && isCommercial ? known.get(keyOf({ ...line, scope: 'geo' })) : undefined;
}

function checkAge({ point }: ReadLine, old: BookLine | undefined): Refusal[] {
  const [now, before] = [point.evidenceDate, old?.evidenceDate ?? null];
  if (now === null || before === null || now >= before) return [];
  const [file = point.where] = point.where.split(': $');
  return [{ reason: `the prices of ${now} are older than those of the book, of ${before}`, where: file }];
}

/** A price of other tiers is another price: a limit that moved is not a lower price. */
function checkTiers(line: ReadLine, own: BookLine | undefined, book: PriceBookFile): Refusal[] {
  const limits = line.steps.map(({ to }) => to);
  const expected =
    own?.steps.map(({ to }) => to) ??
    (line.service === 'function' && line.kind === 'gb_second'
      ? [...book.function.tier_limits_gb_seconds[line.item as 'x86_64' | 'arm64'].map(BigInt), null]
      : undefined);
  if (expected === undefined) return [];
  const same = expected.every((limit, i) => limit === limits[i]);
  if (same && (limits.length === expected.length || own?.isComplete === false)) return [];
  const list = (ends: readonly (bigint | null)[]) => ends.map((end) => end ?? 'no limit').join(', ');
  const reason = `${keyOf(line)}: the tiers end at ${list(limits)}, those of the book at ${list(expected)}`;
  return [{ reason, where: line.point.where }];
}

/** Leaves out new prices whose standard price is left out: the next book cannot have them. */
function leaveOutDependent(
  findings: readonly Finding[],
  leftOut: LeftOutPrice[],
  known: ReadonlyMap<string, BookLine>,
): Finding[] {
  const standardKeys = ({ scope, item }: PriceLineId) =>
    (['input', 'output'] as const).map((kind) => keyOf({ service: 'inference', scope, item, kind }));
  const missing = new Set(leftOut.map(({ line }) => keyOf(line)).filter((key) => !known.has(key)));
  const isDependent = (finding: Finding) =>
    finding.type === 'addition' &&
    finding.service === 'inference' &&
    standardKeys(finding).some((key) => missing.has(key));
  for (const finding of findings.filter(isDependent))
    leftOut.push({ line: finding, reason: `${keyOf(finding)}: its standard price is left out`, where: finding.where });
  return findings.filter((finding) => !isDependent(finding));
}

/**
 * Makes `extra` of additions that the book cannot hold: inference prices without both standard
 * prices, half of a pair of batch prices, and function prices of a Region whose other prices are
 * unknown. A missing price must not become zero.
 */
function holdBackIncomplete(findings: readonly Finding[], { book, known }: CompareContext): Finding[] {
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

/** The other prices of a model whose standard price changed without them. */
function findStale(
  findings: readonly Finding[],
  read: ReadonlySet<string>,
  known: ReadonlyMap<string, BookLine>,
): Finding[] {
  const stale = new Map<string, Finding>();
  for (const finding of findings) {
    if (finding.type !== 'change' || (finding.kind !== 'input' && finding.kind !== 'output')) continue;
    for (const kind of inferenceKinds.filter((name) => name !== 'input' && name !== 'output')) {
      const key = keyOf({ ...finding, kind });
      const old =
        known.get(key)?.steps[0]?.amount ?? known.get(keyOf({ ...finding, kind, scope: 'geo' }))?.steps[0]?.amount;
      if (old === undefined || read.has(key)) continue;
      const note = 'the standard price changed without it';
      stale.set(key, { ...finding, type: 'stale', kind, old, new: old, percent: null, note });
    }
  }
  return [...stale.values()];
}

/** The prices that another book does not have. Those that are left out stay. */
function findRemovals(
  lines: readonly ReadLine[],
  named: ReadonlySet<string>,
  known: ReadonlyMap<string, BookLine>,
): Finding[] {
  const read = new Map(lines.map((line) => [keyOf(line), line]));
  return [...known].flatMap(([key, { steps, service, scope, item, kind }]) =>
    steps
      .filter(({ to }) => (read.has(key) ? !read.get(key)?.steps.some((step) => step.to === to) : !named.has(key)))
      .map(({ from, to, amount }) => ({
        type: 'removal' as const,
        service,
        scope,
        item,
        kind,
        from,
        to,
        old: amount,
        new: null,
        percent: null,
        date: null,
        where: 'the new book',
        note: 'the new book does not have it',
      })),
  );
}
