// The prices of a price book file, one by one: reading, replacing and comparing them.
import { parseDecimal } from './money.ts';
import type { InferencePricesFile, PriceBookFile, PriceEvidenceFile, QueueTiersFile } from './price-book-file.ts';
import { inferenceKinds, keyOf, type PriceLineId } from './price-line.ts';
import { type Fields, fieldsOf, functionFields, newestDay, pricePlaces } from './price-places.ts';

/** Where a price comes from: its own evidence, else that of its Region, service or model. */
export function evidenceOf(file: PriceBookFile, line: PriceLineId): PriceEvidenceFile | undefined {
  const own = file.evidence?.[keyOf(line)];
  if (own) return own;
  const { service, scope, item } = line;
  let common: Omit<PriceEvidenceFile, 'effective_from'> | undefined = file.function;
  if (service === 'queue') common = file.queue.regions[scope];
  if (service === 'inference') common = file.inference.models.find(({ id }) => id === item);
  return common && { effective_from: null, as_of: common.as_of, sources: common.sources };
}

/** The price of the units above `from`, up to and including `to`. Null: no limit. */
export interface Step {
  from: bigint;
  to: bigint | null;
  amount: string;
}

/** A price with all its tiers, lowest first. */
export interface PriceLine extends PriceLineId {
  steps: Step[];
}

export interface BookLine extends PriceLine {
  /** False if the prices above the last tier are unknown. */
  isComplete: boolean;
  /** The newest day in the text `as_of` of the evidence; null if it has none. */
  evidenceDate: string | null;
}

/** The prices of a valid book by `keyOf`. */
export function bookLines(file: PriceBookFile): Map<string, BookLine> {
  return new Map(
    Array.from(pricePlaces(file), ({ line, amounts, limits, isComplete }) => {
      const ends = (limits as (number | null)[]).map((limit) => (limit === null ? null : BigInt(limit)));
      const steps = amounts.map((amount, i) => ({
        from: ends[i - 1] ?? 0n,
        to: ends[i] ?? null,
        amount: withoutTrailingZeros(amount as string),
      }));
      const evidenceDate = newestDay(evidenceOf(file, line)?.as_of ?? '');
      return [keyOf(line), { ...line, steps, isComplete, evidenceDate }];
    }),
  );
}

/** Equal amounts are equal texts. */
const withoutTrailingZeros = (amount: string): string => (amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount);

/** The object of a file that has a price, and the name of its field. */
function fieldsWith(file: PriceBookFile, { service, scope, item }: PriceLineId): object | undefined {
  if (service === 'queue') return file.queue.regions[scope];
  if (service === 'function') return file.function.regions[scope];
  return file.inference.models.find((model) => fieldsOf(model)['id'] === item)?.prices[scope];
}

const fieldOf = ({ service, item, kind }: PriceLineId): string =>
  service === 'queue'
    ? item
    : service === 'inference'
      ? `${kind}_per_1k`
      : functionFields[item as keyof typeof functionFields];

/**
 * Puts the price of `book` in the place of that of `next`, which need not be valid. If `book` has
 * none, it is removed, with those that a book cannot have without it.
 * @returns the other prices that are removed.
 */
export function restorePrice(next: PriceBookFile, book: PriceBookFile, line: PriceLineId): PriceLineId[] {
  const { service, scope, item } = line;
  const own = fieldsOf(fieldsWith(book, line));
  const price = own[fieldOf(line)];
  const fields = fieldsWith(next, line) as Fields | undefined;
  const model = next.inference.models.find((other) => fieldsOf(other)['id'] === item);
  if (price !== undefined) {
    const restored = { ...(fields ?? own), [fieldOf(line)]: price } as never;
    if (service !== 'inference') next[service].regions[scope] = restored;
    else if (model) model.prices[scope] = restored;
    else next.inference.models.push(...book.inference.models.filter(({ id }) => id === item));
    return [];
  }
  if (service === 'queue') delete fields?.[item];
  if (service === 'function') delete next.function.regions[scope];
  if (!model || !fields) return [];
  const lost = inferenceKinds.filter((kind) => `${kind}_per_1k` in fields && needs(kind, line.kind));
  for (const kind of lost) delete fields[`${kind}_per_1k`];
  if (Object.keys(fields).length === 0) delete model.prices[scope];
  if (Object.keys(model.prices).length === 0) {
    next.inference.models = next.inference.models.filter((other) => other !== model);
  }
  return lost.filter((kind) => kind !== line.kind).map((kind) => ({ ...line, kind }));
}

/** Whether a book cannot have a price of inference without the other. */
function needs(kind: PriceLineId['kind'], other: PriceLineId['kind']): boolean {
  if (other === 'input' || other === 'output') return true;
  if (other === 'long_input' || other === 'long_output') return kind.startsWith('long_');
  return kind === other || (other.startsWith('batch_') && kind.startsWith('batch_'));
}

/**
 * Sets a price of a valid book, which has the Region of a function and the model.
 * @param origin of a Region of the queue that the book does not have.
 */
export function setPrice(
  file: PriceBookFile,
  { steps, ...line }: PriceLine,
  origin: Pick<PriceEvidenceFile, 'as_of' | 'sources'>,
): void {
  const { service, scope, item, kind } = line;
  const amounts = steps.map(({ amount }) => amount);
  if (service === 'queue') {
    const tiers: QueueTiersFile = {
      tiers_complete: steps.at(-1)?.to === null,
      tiers: steps.map(({ to, amount }) => ({
        to_requests: to === null ? null : Number(to),
        price_per_million: amount,
      })),
    };
    file.queue.regions[scope] = { ...(file.queue.regions[scope] ?? origin), [item]: tiers };
  } else if (service === 'function') {
    Object.assign(file.function.regions[scope] as object, {
      [fieldOf(line)]: kind === 'request' ? amounts[0] : amounts,
    });
  } else {
    const model = file.inference.models.find(({ id }) => id === item);
    const isCommercial = file.regions.some(({ code, partition }) => code === scope && partition === 'aws');
    // Until now, the Region had the prices of all commercial Regions.
    const free = model?.kind === 'embedding' ? { output_per_1k: '0' } : undefined;
    const own = model?.prices[scope] ?? { ...free, ...(isCommercial ? model?.prices['geo'] : undefined) };
    if (model) model.prices[scope] = { ...own, [fieldOf(line)]: amounts[0] } as InferencePricesFile;
  }
}

/** A price that two books do not have in common. */
export interface PriceChange extends PriceLineId, Omit<Step, 'amount'> {
  type: 'change' | 'addition' | 'removal';
  old: string | null;
  new: string | null;
  /** The change in per cent with two decimals; null without an old or a new price. */
  percent: string | null;
}

/**
 * The prices of two books that differ, by tier, in the order of the newer book.
 * @param replaced the price of the older book that a new one of the newer book takes the place of.
 */
export function compareBooks(
  older: PriceBookFile,
  newer: PriceBookFile,
  replaced: (line: PriceLineId) => PriceLine | undefined = () => undefined,
): PriceChange[] {
  const [before, after] = [bookLines(older), bookLines(newer)];
  const keys = [...after.keys(), ...[...before.keys()].filter((key) => !after.has(key))];
  const isSame = (a: Step, b: Step) => a.from === b.from && a.to === b.to;
  return keys.flatMap((key) => {
    const { service, scope, item, kind } = (after.get(key) ?? before.get(key)) as PriceLineId;
    const old = before.get(key) ?? replaced({ service, scope, item, kind });
    const [was, is] = [old?.steps ?? [], after.get(key)?.steps ?? []];
    const steps = [...is, ...was.filter((step) => !is.some((other) => isSame(step, other)))];
    return steps.flatMap((step): PriceChange[] => {
      const amountIn = (lines: readonly Step[]) => lines.find((other) => isSame(step, other))?.amount ?? null;
      const [from, to] = [amountIn(was), amountIn(is)];
      if (from === to) return [];
      const type = from === null ? 'addition' : to === null ? 'removal' : 'change';
      const percent = from === null || to === null ? null : percentChange(from, to);
      return [{ type, service, scope, item, kind, from: step.from, to: step.to, old: from, new: to, percent }];
    });
  });
}

/** The change in per cent with two decimals: `-16.67`; null if the old amount is zero. */
function percentChange(old: string, now: string): string | null {
  const decimals = 24;
  const before = parseDecimal(old, decimals);
  if (before === 0n) return null;
  const difference = parseDecimal(now, decimals) - before;
  const size = difference < 0n ? -difference : difference;
  const hundredths = (size * 20_000n + before) / (2n * before);
  const sign = difference < 0n ? '-' : '+';
  return `${sign}${hundredths / 100n}.${String(hundredths % 100n).padStart(2, '0')}`;
}
