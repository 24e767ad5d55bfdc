// The cost of logs, as the service counts and prices them, and by pattern, level, source and model.
import { compareDesigns, type DesignsRequest } from '../../../shared/cost/compare-designs.ts';
import { costSentence, sentenceText } from '../../../shared/cost/cost-sentence.ts';
import { formatExactGbSeconds, formatExactMoney, formatShare } from '../../../shared/cost/money.ts';
import { type RatedUsage, sumRated } from '../../../shared/cost/months-on-terms.ts';
import { presentParts, presentRemarks, presentServices, presentTotals } from '../../../shared/cost/present-cost.ts';
import type { PriceBook } from '../../../shared/cost/price-book.ts';
import { type MonthsCost, priceMonth, priceMonths } from '../../../shared/cost/scenario-cost.ts';
import { startOfUtcDay } from '../../../shared/durations.ts';
import { type Assumptions, applyDefaults } from '../../../shared/scenarios/assumptions.ts';
import type { ReadDays } from '../../../shared/usage/read-usage.ts';
import type { BatchSums, HourCounters } from '../../../shared/usage/stored-hour.ts';
import { divideCost, type HeavyGroup, roundTogether, type Share, sumOfShare } from './divide-cost.ts';
import { type CostGroup, commandVersion, type Estimate, schemaName } from './estimate.schema.ts';
import { emptySums, mergeSums } from './group-sums.ts';
import type { Group, GroupKind } from './groups.ts';
import type { LogReading } from './read-logs.ts';
import { savingsOf } from './savings.ts';

export interface EstimateTerms extends DesignsRequest {
  region: string;
  assumptions: Assumptions;
  book: PriceBook;
}

const maxGroups = 50;

/** @throws AppError for designs that cannot be priced. */
export async function estimateCost(reading: LogReading, terms: EstimateTerms): Promise<Estimate> {
  const { region, assumptions, book, ...request } = terms;
  const pricing = { region, assumptions, book, fallback: 'us-east-1' } as const;
  const readDays = daysOf(reading.usage);
  let rated: RatedUsage | undefined;
  const designs = await compareDesigns('', pricing, request, {
    priceBooks: { find: async (version) => (version === book.version ? book : null) },
    readRated: async (allTerms, period) => (rated = await sumRated(readDays, allTerms, period)),
  });
  const {
    usages: [usage],
    months,
  } = rated as RatedUsage;
  if (!usage) throw new RangeError('The usage was not read.');
  const cost = await priceMonths(usage, pricing);
  const month = months?.[0] ? await priceMonth(months[0].usage, pricing) : null;

  const totals = { ...presentTotals(cost), ...presentRemarks(cost.usage) };
  const explanation = {
    assumptions: applyDefaults(assumptions),
    months: cost.months.map(({ lines, work }) => ({ lines: lines.map(explain), pipeline: presentParts(work) })),
  };
  const sentence = sentenceText(
    costSentence({
      metrics: { totals: { ...totals, pending_entries: 0, failed_entries: 0 } },
      explanation,
      designs,
      models: book.models,
      hasVolume: request.volume !== undefined,
    }),
  );
  const groups = reading.groups.groups();
  const divided = (kind: GroupKind) => divide(groups[kind], cost, month);
  const patterns = divided('patterns');
  const { scenario_id: _, ...compared } = designs;
  return {
    schema: schemaName,
    version: commandVersion,
    sentence,
    region,
    inputs: reading.inputs.map(({ name, entries }) => ({ name, entries })),
    totals,
    cost_breakdown: presentServices(cost),
    ...compared,
    personal_data: reading.pii
      .map(({ country, ...row }) => ({ ...row, ...(country !== undefined && { country }) }))
      .sort((one, other) => other.findings - one.findings || (one.field < other.field ? -1 : 1)),
    patterns: patterns.items,
    levels: divided('levels').items,
    sources: divided('sources').items,
    models: divided('models').items,
    savings: month && month.total.amount !== null ? savingsOf(patterns.heaviest, month.total.amount) : [],
    not_understood: reading.inputs
      .filter(({ rejected, refused }) => rejected > 0 || refused.length > 0)
      .map(({ name, rejected, errors, refused }) => ({ name, rejected, errors, refused })),
    skipped: reading.inputs.reduce((sum, { skipped }) => sum + skipped, 0),
  };
}

/** The hours of a log in order of time, as the store of the service has them. */
const daysOf = ({ hours }: BatchSums): ReadDays =>
  async function* () {
    let day: HourCounters[] = [];
    for (const [start, counters] of [...hours].sort(([one], [other]) => one - other)) {
      const [last] = day;
      if (last && startOfUtcDay(last.hour) !== startOfUtcDay(new Date(start))) {
        yield day;
        day = [];
      }
      day.push(counters);
    }
    if (day.length > 0) yield day;
  };

const explain = ({ service, item, of, units, amount }: MonthsCost['months'][number]['lines'][number]) => ({
  service,
  item,
  of,
  quantity: item === 'compute' ? formatExactGbSeconds(units) : String(units),
  amount: amount === null ? null : formatExactMoney(amount),
});

const noShare: Share = { queue: 0n, function: 0n, inference: 0n };

/** The groups by cost, the least ones as one. */
function divide({ items: groups, rest }: LogGroups, cost: MonthsCost, month: MonthsCost | null) {
  const weigh = (weighed: readonly Group[]): HeavyGroup[] => {
    const shares = divideCost(cost, weighed);
    const months = month && divideCost(month, weighed);
    return weighed.map((group, at) => ({
      ...group,
      share: shares?.[at] ?? noShare,
      month: months?.[at] ?? noShare,
    }));
  };
  const byCost = weigh(groups).sort(compareGroups);
  const shown: Group[] = byCost.slice(0, maxGroups);
  const other = { name: 'other', ...emptySums() };
  for (const group of [...byCost.slice(maxGroups), rest]) mergeSums(other, group);
  const listed = weigh(other.entries > 0 ? [...shown, { ...other, example: '' }] : shown);
  const amounts = roundTogether(listed.map(({ share }) => sumOfShare(share)));
  const ofMonth = roundTogether(listed.map(({ month: share }) => sumOfShare(share)));
  const total = cost.total.amount;
  const items = listed.map(
    ({ name, entries, piiEntries, example, share }, at): CostGroup => ({
      name,
      entries,
      cost: total === null ? null : (amounts[at] as string),
      share: total === null ? null : formatShare(sumOfShare(share), total),
      month: !month || month.total.amount === null ? null : (ofMonth[at] as string),
      personal_data: piiEntries,
      example,
    }),
  );
  // The heaviest have their shares of the month, not rounded.
  return { items, heaviest: listed.slice(0, shown.length) };
}

type LogGroups = ReturnType<LogReading['groups']['groups']>[GroupKind];

function compareGroups(one: HeavyGroup, other: HeavyGroup): number {
  const difference = sumOfShare(other.share) - sumOfShare(one.share);
  if (difference !== 0n) return difference > 0n ? 1 : -1;
  return other.entries - one.entries || (one.name < other.name ? -1 : 1);
}
