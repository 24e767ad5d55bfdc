import type { PriceBookFile, QueueTiersFile } from '../price-book-file.ts';
import { evidenceOf, newestDay } from '../price-evidence.ts';
import { inferenceKinds, keyOf } from '../price-line.ts';
import { shiftDecimal } from '../price-sources/shift-decimal.ts';
import { type PriceLine, type Step } from './price-lines.ts';

export interface BookLine extends PriceLine {
  /** False if the prices above the last tier are unknown. */
  isComplete: boolean;
  /** The newest day in the text `as_of` of the evidence; null if it has none. */
  evidenceDate: string | null;
}

/**
 * The prices of a book that a price source can change, by `keyOf`. The free tiers and ephemeral
 * storage are not among them, because no file of `price-sources` reads them.
 */
export function bookLines(file: PriceBookFile): Map<string, BookLine> {
  const lines = [...queueLines(file), ...functionLines(file), ...inferenceLines(file)];
  return new Map(
    lines.map((line) => [keyOf(line), { ...line, evidenceDate: newestDay(evidenceOf(file, line)?.as_of ?? '') }]),
  );
}

type UndatedLine = Omit<BookLine, 'evidenceDate'>;

const maxDecimals = 21;

/** Removes trailing zeros, as readers of sources do, so that equal amounts are equal texts. */
const withoutTrailingZeros = (amount: string): string => shiftDecimal(amount, 0, maxDecimals);

function* queueLines({ queue }: PriceBookFile): Generator<UndatedLine> {
  for (const [scope, { standard, fifo }] of Object.entries(queue.regions)) {
    for (const [item, tiers] of [
      ['standard', standard],
      ['fifo', fifo],
    ] as const) {
      if (tiers === undefined) continue;
      const common = { service: 'queue', scope, item, kind: 'request' } as const;
      yield { ...common, steps: queueSteps(tiers), isComplete: tiers.tiers_complete };
    }
  }
}

function queueSteps({ tiers }: QueueTiersFile): Step[] {
  return tiers.map(({ to_requests: to, price_per_million: price }, i) => ({
    from: BigInt(tiers[i - 1]?.to_requests ?? 0),
    to: to === null ? null : BigInt(to),
    amount: withoutTrailingZeros(price),
  }));
}

function* functionLines({ function: prices }: PriceBookFile): Generator<UndatedLine> {
  const common = { service: 'function', isComplete: true } as const;
  for (const [scope, region] of Object.entries(prices.regions)) {
    const requests = [{ from: 0n, to: null, amount: withoutTrailingZeros(region.request_price_per_million) }];
    yield { ...common, scope, item: 'requests', kind: 'request', steps: requests };
    for (const item of ['x86_64', 'arm64'] as const) {
      const limits = prices.tier_limits_gb_seconds[item].map(BigInt);
      const steps = region[`${item}_prices_per_gb_second`].map((price, i) => ({
        from: limits[i - 1] ?? 0n,
        to: limits[i] ?? null,
        amount: withoutTrailingZeros(price),
      }));
      yield { ...common, scope, item, kind: 'gb_second', steps };
    }
  }
}

function* inferenceLines({ inference }: PriceBookFile): Generator<UndatedLine> {
  for (const { id: item, prices } of inference.models) {
    const common = { service: 'inference', item, isComplete: true } as const;
    for (const [scope, fields] of Object.entries(prices)) {
      for (const kind of inferenceKinds) {
        const amount = fields[`${kind}_per_1k`];
        if (amount !== undefined)
          yield { ...common, scope, kind, steps: [{ from: 0n, to: null, amount: withoutTrailingZeros(amount) }] };
      }
    }
  }
}
