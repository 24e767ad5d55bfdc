import { parseDecimal } from '../money.ts';
import type { PriceLineId } from '../price-line.ts';
import type { ReadLine, Refusal, Step } from './price-lines.ts';

type FindingType =
  | 'same'
  | 'change'
  | 'addition'
  /** The book has a price that the new book lacks. */
  | 'removal'
  /** A batch, cache or long price whose standard price changed without it. */
  | 'stale'
  /** The price applies from a day after its evidence. */
  | 'announced'
  /** A price that the book cannot hold without others that are unknown. */
  | 'extra';

/** One price of the book compared with a source. Amounts are in the unit of the price book. */
export interface Finding extends PriceLineId {
  type: FindingType;
  from: bigint;
  to: bigint | null;
  old: string | null;
  new: string | null;
  /** The change in per cent with two decimals, rounded half away from zero. */
  percent: string | null;
  /** The day from which the new price applies, or of its evidence. */
  date: string | null;
  where: string;
  /** Why, for people. */
  note?: string;
}

/** A price that is not used, with the reason: the book keeps its own, if it has one. */
export interface LeftOutPrice extends Refusal {
  line: PriceLineId;
}

export interface Comparison {
  findings: Finding[];
  leftOut: LeftOutPrice[];
  /** If there is one, nothing of the source may be applied. */
  refusals: Refusal[];
  /** The prices that apply today, by line. */
  lines: ReadLine[];
}

const changing: ReadonlySet<FindingType> = new Set(['change', 'addition', 'removal', 'stale']);

/** The findings that would change the book: none if anything is refused. */
export const changesOf = ({ findings, refusals }: Pick<Comparison, 'findings' | 'refusals'>): Finding[] =>
  refusals.length > 0 ? [] : findings.filter(({ type }) => changing.has(type));

/** A finding about one tier of a line. */
export function toFinding(type: FindingType, line: ReadLine, step: Step, old: string | null, note?: string): Finding {
  const { service, scope, item, kind, point } = line;
  return {
    type,
    service,
    scope,
    item,
    kind,
    from: step.from,
    to: step.to,
    old,
    new: step.amount,
    percent: old === null ? null : percentChange(old, step.amount),
    date: point.effectiveDate ?? point.evidenceDate,
    where: point.where,
    ...(note === undefined ? {} : { note }),
  };
}

const decimals = 24;

/** Whether one amount is more than ten times the other. */
export function isLargeChange(a: string, b: string): boolean {
  const [low = 0n, high = 0n] = [parseDecimal(a, decimals), parseDecimal(b, decimals)].sort((x, y) => (x < y ? -1 : 1));
  return high > low * 10n;
}

/** The change in per cent with two decimals: `-16.67`; null if the old amount is zero. */
export function percentChange(old: string, now: string): string | null {
  const before = parseDecimal(old, decimals);
  if (before === 0n) return null;
  const difference = parseDecimal(now, decimals) - before;
  const size = difference < 0n ? -difference : difference;
  const hundredths = (size * 20_000n + before) / (2n * before);
  const sign = difference < 0n ? '-' : '+';
  return `${sign}${hundredths / 100n}.${String(hundredths % 100n).padStart(2, '0')}`;
}
