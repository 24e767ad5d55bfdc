import Table from 'cli-table3';
import {
  formatCount,
  formatDecimal,
  formatPercent,
  formatUsage,
  type MetricsLine,
  type Money,
  plain,
  right,
  unknown,
} from './metrics-tables.ts';

interface Priced {
  totals: { cost: Money; status: string };
  cost_breakdown: MetricsLine[];
}

/** The part of the response of GET /api/v1/scenarios/{id}/projection that is printed. */
export interface Projection {
  currency: string;
  basis: { kind: string; entries_per_month: string; observed: { entries: number; hours: number } };
  month: Priced;
  twelve_months: Priced;
}

/** The part of the response of GET /api/v1/scenarios/{id}/estimate/regions that is printed. */
export interface RegionEstimates {
  currency: string;
  region: string;
  items: RegionCost[];
}

interface RegionCost {
  region: string;
  name: string;
  cost: { total: Money };
  status: string;
  difference: { total: { amount: string; share: string | null } | null };
}

/** Formats usage and cost of a month, and the cost of twelve. */
export function projectionTable({ currency, basis, month, twelve_months: year }: Projection): string {
  const { entries, hours } = basis.observed;
  const volume = `${formatCount(Number(basis.entries_per_month))} entries`;
  const observed = `the rate of ${formatCount(entries)} entries in ${formatCount(hours)} hours`;
  const table = new Table({
    ...plain,
    head: ['Service', 'Usage of a month', `A month (${currency})`, `Twelve months (${currency})`],
    colAligns: ['left', 'left', right, right],
  });
  for (const [at, { service, usage, cost }] of month.cost_breakdown.entries()) {
    table.push([service, formatUsage(usage), formatMoney(cost), formatMoney(year.cost_breakdown[at]?.cost ?? null)]);
  }
  table.push(['total', volume, formatMoney(month.totals.cost), formatMoney(year.totals.cost)]);
  const title = basis.kind === 'observed_rate' ? `A month at ${observed}` : `A month with ${volume}`;
  return `${title}\n${table.toString()}`;
}

/** The part of the response of POST /api/v1/scenarios/{id}/designs that is printed. */
export interface Designs {
  currency: string;
  items: Design[];
  cheapest: string | null;
}

interface Design {
  name: string;
  totals: { function_invocations: number; inference_calls?: number; logs: number; cost: Money; status: string };
  difference: { total: { share: string | null } | null };
}

/** Formats the cost of the same entries with other designs of the pipeline. */
export function designsTable({ currency, items, cheapest }: Designs): string {
  const table = new Table({
    ...plain,
    head: ['Design', 'Invocations', 'Model calls', `Cost (${currency})`, 'Difference', 'Status'],
    colAligns: ['left', right, right, right, right, 'left'],
  });
  for (const { name, totals, difference } of items) {
    table.push([
      name === cheapest ? `${name}, the cheapest` : name,
      formatCount(totals.function_invocations),
      // Without a pipeline, each entry is a call.
      formatCount(totals.inference_calls ?? totals.logs),
      formatMoney(totals.cost),
      formatPercent(difference.total?.share ?? null),
      totals.status,
    ]);
  }
  return `The same entries with other designs of the pipeline\n${table.toString()}`;
}

const shownRegions = 3;

/** Formats the cost of the same usage in the cheapest regions, and in that of the scenario. */
export function regionsTable({ currency, region, items }: RegionEstimates): string {
  const table = new Table({
    ...plain,
    head: ['Region', 'Name', `Cost (${currency})`, 'Difference', 'Status'],
    colAligns: ['left', 'left', right, right, 'left'],
  });
  const cheapest = items.slice(0, shownRegions);
  const own = items.filter((item) => item.region === region && !cheapest.includes(item));
  for (const { region: code, name, cost, difference, status } of [...cheapest, ...own]) {
    const isOwn = code === region;
    table.push([
      code,
      isOwn ? `${name}, this scenario` : name,
      cost.total ?? unknown,
      isOwn ? '' : formatPercent(difference.total?.share ?? null),
      status,
    ]);
  }
  return `The same usage in the three cheapest regions\n${table.toString()}`;
}

const formatMoney = (amount: Money) => (amount === null ? unknown : formatDecimal(amount));
