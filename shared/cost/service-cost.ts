// The cost of usage by service, as a sum of its lines: how much of it is known, and how reliable it
// is.

import type { Money } from './money.ts';
import { type ChargeItem, type ChargeLine, type Service, services } from './price-month.ts';

/** From best to worst. A total has the worst status of its lines. */
export const costStatuses = ['ok', 'estimated', 'unverified', 'missing'] as const;
export type CostStatus = (typeof costStatuses)[number];

/** The cost of one service; `amount` is null if none of its usage has a price. */
export interface ServiceCost {
  amount: Money | null;
  status: CostStatus;
  /** The units without a price by item; null unless the status is `missing`. */
  unpriced: Readonly<Partial<Record<ChargeItem, bigint>>> | null;
  /** Why prices are not certain. */
  remarks: readonly string[];
}

export type ServiceCosts = Readonly<Record<Service, ServiceCost>>;

interface TotalCost {
  /** The sum of the known amounts; null if none is known. */
  amount: Money | null;
  /** The worst of the services. */
  status: CostStatus;
  /** Whether a price is missing, so that the amount is only a part of the cost. */
  incomplete: boolean;
}

/** Sums lines by service. */
export class CostSum {
  readonly #sums: Record<Service, { amount: Money; isCharged: boolean; status: CostStatus }>;
  readonly #unpriced: Partial<Record<Service, Partial<Record<ChargeItem, bigint>>>> = {};
  readonly #remarks: Partial<Record<Service, Set<string>>> = {};

  /** @param isEstimate whether all usage is estimated. */
  constructor(isEstimate: boolean) {
    const none = () => ({ amount: 0n, isCharged: false, status: isEstimate ? 'estimated' : 'ok' }) as const;
    this.#sums = { queue: none(), function: none(), inference: none() };
  }

  add(lines: readonly ChargeLine[]): void {
    for (const line of lines) {
      const sum = this.#sums[line.service];
      sum.status = worse(sum.status, statusOfLine(line));
      if (line.remark !== undefined) (this.#remarks[line.service] ??= new Set()).add(line.remark);
      if (line.amount === null) {
        const unpriced = (this.#unpriced[line.service] ??= {});
        unpriced[line.item] = (unpriced[line.item] ?? 0n) + line.units;
      } else {
        sum.amount += line.amount;
        sum.isCharged ||= !line.isFree;
      }
    }
  }

  services(): ServiceCosts {
    const costOf = (service: Service): ServiceCost => {
      const { amount, isCharged, status } = this.#sums[service];
      const unpriced = this.#unpriced[service] ?? null;
      const remarks = [...(this.#remarks[service] ?? [])];
      return { amount: unpriced !== null && !isCharged ? null : amount, status, unpriced, remarks };
    };
    return { queue: costOf('queue'), function: costOf('function'), inference: costOf('inference') };
  }
}

export function totalOf(costs: ServiceCosts): TotalCost {
  const status = services.reduce<CostStatus>((worst, service) => worse(worst, costs[service].status), 'ok');
  return {
    amount: sumKnown(services.map((service) => costs[service].amount)),
    status,
    incomplete: status === 'missing',
  };
}

export function statusOfLine({ price, isFallback, isEstimated }: ChargeLine): CostStatus {
  if (price === null) return 'missing';
  if (isFallback) return 'unverified';
  return isEstimated ? 'estimated' : 'ok';
}

function worse(one: CostStatus, other: CostStatus): CostStatus {
  return costStatuses.indexOf(other) > costStatuses.indexOf(one) ? other : one;
}

/** The sum of the known amounts; null if none is known. */
export function sumKnown(amounts: readonly (Money | null)[]): Money | null {
  let sum: Money | null = null;
  for (const amount of amounts) if (amount !== null) sum = sum === null ? amount : sum + amount;
  return sum;
}
