import type { PriceBookFile } from '../../../../shared/cost/price-book-file.ts';
import { type PlannedChange, type PricePlan, planChanges } from '../../../../shared/cost/refresh/plan-changes.ts';
import type { PricePoint } from '../../../../shared/cost/refresh/source-file.ts';
import { bookFile, today } from './read-text.ts';

/** A price of Nova Micro in Ireland per 1,000 input tokens; the book has 0.00004. */
export const novaInput = (change: Partial<PricePoint> = {}): PricePoint => ({
  service: 'inference',
  scope: 'eu-west-1',
  item: 'amazon.nova-micro-v1:0',
  kind: 'input',
  amount: '0.00005',
  from: 0n,
  to: null,
  effectiveDate: '2026-10-01',
  evidenceDate: '2026-11-01',
  where: 'file.json: $.price',
  ...change,
});

/** A tier of queue requests in us-east-1, in billions. */
export const queueTier = (
  from: number,
  to: number | null,
  amount: string,
  change: Partial<PricePoint> = {},
): PricePoint =>
  novaInput({
    service: 'queue',
    scope: 'us-east-1',
    item: 'standard',
    kind: 'request',
    amount,
    from: BigInt(from * 1e9),
    to: to === null ? null : BigInt(to * 1e9),
    where: `file.json: $.from${from}`,
    ...change,
  });

/** The plan of prices of the vendor. */
export const plan = (
  points: PricePoint[],
  { book = bookFile(), ...options }: { book?: PriceBookFile } & Partial<Parameters<typeof planChanges>[2]> = {},
): PricePlan => planChanges(book, { points, unusable: [], refusals: [] }, { today, ...options });

/** `change eu-west-1 input: 0.00004 -> 0.00005 (+25.00)`. */
export const shortChanges = (changes: readonly PlannedChange[]): string[] =>
  changes.map(
    ({ type, scope, kind, old, new: now, percent }) => `${type} ${scope} ${kind}: ${old} -> ${now} (${percent})`,
  );
