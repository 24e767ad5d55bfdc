// The prices of a price book file, one by one: reading, replacing and comparing them.
import { parseDecimal } from './money.ts';
import type { PriceBookFile, PriceEvidenceFile, QueueTiersFile } from './price-book-file.ts';
import {
  type Fields,
  fieldsOf,
  functionFields,
  inferenceKinds,
  keyOf,
  newestDay,
  type PriceLineId,
  pricePlaces,
} from './price-line.ts';

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
  /** In USD, exact, as decimal text without an exponent. */
  amount: string;
}

/** A price with all its tiers, lowest first. */
export interface PriceLine extends PriceLineId {
  steps: Step[];
}

export interface BookLine extends PriceLine {
  /** In the file. */
  path: string;
  /** False if the prices above the last tier are unknown. */
  isComplete: boolean;
  /** The newest day in the text `as_of` of the evidence; null if it has none. */
  evidenceDate: string | null;
}

/** The prices of a valid book by `keyOf`. */
export function bookLines(file: PriceBookFile): Map<string, BookLine> {
  return new Map(
    Array.from(pricePlaces(file), ({ line, path, amounts, limits, isComplete }) => {
      const ends = (limits as (number | null)[]).map((limit) => (limit === null ? null : BigInt(limit)));
      const steps = amounts.map((amount, i) => ({
        from: ends[i - 1] ?? 0n,
        to: ends[i] ?? null,
        amount: withoutTrailingZeros(amount as string),
      }));
      const evidenceDate = newestDay(evidenceOf(file, line)?.as_of ?? '');
      return [keyOf(line), { ...line, path, steps, isComplete, evidenceDate }];
    }),
  );
}

/** Equal amounts are equal texts. */
const withoutTrailingZeros = (amount: string): string => (amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount);

const modelOf = (file: PriceBookFile, item: string) =>
  file.inference.models.find((model) => fieldsOf(model)['id'] === item);

/** The objects of a file that have the prices of a service or a model, by scope. */
const scopesOf = (file: PriceBookFile, { service, item }: PriceLineId) =>
  service === 'inference' ? modelOf(file, item)?.prices : file[service].regions;

const fieldOf = ({ service, item, kind }: PriceLineId): string => {
  if (service === 'inference') return `${kind}_per_1k`;
  return service === 'queue' ? item : functionFields[item as keyof typeof functionFields];
};

/** @param common the other fields of a scope that the file does not have. */
function setField(file: PriceBookFile, line: PriceLineId, value: unknown, common: object): void {
  const scopes = scopesOf(file, line);
  if (scopes) scopes[line.scope] = { ...(scopes[line.scope] ?? common), [fieldOf(line)]: value } as never;
}

/**
 * Puts the price of `book` in the place of that of `next`, which need not be valid. If `book` has
 * none, it is removed, with those that a book cannot have without it.
 * @returns the other prices that are removed.
 */
export function restorePrice(next: PriceBookFile, book: PriceBookFile, line: PriceLineId): PriceLineId[] {
  const { service, scope, item } = line;
  const own = fieldsOf(scopesOf(book, line)?.[scope]);
  const price = own[fieldOf(line)];
  if (price !== undefined) {
    if (scopesOf(next, line)) setField(next, line, price, own);
    else next.inference.models.push(...book.inference.models.filter(({ id }) => id === item));
    return [];
  }
  const fields = scopesOf(next, line)?.[scope] as Fields | undefined;
  if (service === 'queue') delete fields?.[item];
  if (service === 'function') delete next.function.regions[scope];
  const model = modelOf(next, item);
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
  const amounts = steps.map(({ amount }) => amount);
  if (line.service === 'queue') {
    const tiers: QueueTiersFile = {
      tiers_complete: steps.at(-1)?.to === null,
      tiers: steps.map(({ to, amount }) => ({
        to_requests: to === null ? null : Number(to),
        price_per_million: amount,
      })),
    };
    setField(file, line, tiers, origin);
  } else if (line.service === 'function') {
    setField(file, line, line.kind === 'request' ? amounts[0] : amounts, {});
  } else {
    const model = modelOf(file, line.item);
    const isCommercial = file.regions.some(({ code, partition }) => code === line.scope && partition === 'aws');
    // Until now, the Region had the prices of all commercial Regions.
    const common = isCommercial ? model?.prices['geo'] : undefined;
    setField(file, line, amounts[0], { ...(model?.kind === 'embedding' && { output_per_1k: '0' }), ...common });
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
