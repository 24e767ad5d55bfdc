// Sources that replace prices: the vendor's list, and another book.
import type { PriceBookFile } from '../price-book-file.ts';
import { inferenceKinds } from '../price-line.ts';
import type { BookLine } from './book-lines.ts';
import type { CompareContext, CompareLine } from './compare-context.ts';
import { type Finding, isLargeChange, toFinding } from './finding.ts';
import { keyOf, type ReadLine, type Refusal } from './price-lines.ts';

export const compareReplacement: CompareLine = (line, context) => {
  const { book, known, options } = context;
  const own = known.get(keyOf(line));
  const old = own ?? geoLine(line, context);
  const findings: Finding[] = [];
  const refusals = [...checkAge(line, old), ...checkTiers(line, own, book)];
  for (const step of line.steps) {
    const before = old?.steps.find(({ from, to }) => from === step.from && to === step.to)?.amount ?? null;
    if (before !== step.amount) {
      const fault = checkChange(line, before, step.amount, options.acceptLargeChanges === true);
      if (fault !== undefined) refusals.push({ reason: `${keyOf(line)}: ${fault}`, where: line.point.where });
    }
    const type = before === null ? 'addition' : before === step.amount ? 'same' : 'change';
    const note = own === undefined && before !== null ? 'the book has one price for all commercial Regions' : undefined;
    findings.push(toFinding(type, line, step, before, note));
  }
  return { findings, refusals };
};

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

function checkChange(line: ReadLine, before: string | null, now: string, acceptLarge: boolean): string | undefined {
  // The output of an embedding is free.
  if (before === null) return now === '0' && line.kind !== 'output' ? 'the price is zero' : undefined;
  if (now === '0') return `the price is zero, the book has ${before}`;
  if (acceptLarge || !isLargeChange(before, now)) return undefined;
  return `the price changes from ${before} to ${now}, by more than a factor of 10`;
}

/** The batch and cache prices of a model whose standard price changed without them. */
export function findStale(
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

/** The prices that another book does not have. */
export function findRemovals(lines: readonly ReadLine[], known: ReadonlyMap<string, BookLine>): Finding[] {
  const read = new Map(lines.map((line) => [keyOf(line), line]));
  return [...known].flatMap(([key, { steps, service, scope, item, kind }]) =>
    steps
      .filter(({ to }) => read.get(key)?.steps.some((step) => step.to === to) !== true)
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
