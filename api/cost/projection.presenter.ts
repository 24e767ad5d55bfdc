import { formatRatio } from '../../shared/cost/money.ts';
import type { MonthlyUsage } from '../../shared/cost/monthly-usage.ts';
import { presentLines, presentTotals } from '../../shared/cost/present-cost.ts';
import {
  hoursPerMonth,
  observedHours,
  type ProjectedMonth,
  projectMonth,
  type Ratio,
} from '../../shared/cost/projection.ts';
import { changeTerms } from '../../shared/cost/what-if.ts';
import { hour } from '../../shared/durations.ts';
import { AppError } from '../../shared/errors.ts';
import type { Scenario } from '../../shared/scenarios/scenario.model.ts';
import { epochPeriod } from '../../shared/usage/periods.ts';
import { sumUsage } from '../../shared/usage/usage.ts';
import type { Projection } from './estimates.answers.ts';
import { notesOn } from './estimates.presenter.ts';
import type { ProjectionQuery } from './estimates.schemas.ts';
import type { PriceSettings } from './priced-usage.ts';

const secondsPerMonth = hoursPerMonth * 3_600n;

/** The entries of the period: how many, from when to when. */
interface Observation {
  entries: bigint;
  firstHour: Date;
  lastHour: Date;
}

/**
 * Prices a month at a volume of the scenario's average entry.
 * @throws AppError INVALID_STATE without entries, and if the rate cannot be observed.
 */
export async function projectScenario(
  scenario: Pick<Scenario, '_id' | 'region' | 'assumptions'>,
  { months, firstHour, lastHour, period }: MonthlyUsage,
  query: ProjectionQuery,
  { priceBook: book, config }: PriceSettings,
): Promise<Projection> {
  if (firstHour === null || lastHour === null) {
    throw new AppError('INVALID_STATE', 'The scenario has no entries in the period, so there is no average entry.');
  }
  const { region, assumptions, asModel, convert } = changeTerms(scenario, query);
  const { from } = epochPeriod(period);
  const usage = sumUsage(months.filter((month) => month.hour.getTime() >= from).map(convert));
  const observed = { entries: usage.logs, firstHour, lastHour };
  const { kind, volume } = volumeOf(query, observed);
  const ratio = { times: volume.times, over: volume.over * usage.logs };
  const projected = await projectMonth(usage, ratio, {
    region,
    assumptions,
    asModel,
    book,
    fallback: config.priceFallback,
  });
  return {
    scenario_id: scenario._id,
    currency: book.currency,
    price_book: { version: book.version, as_of: book.asOf },
    region,
    assumptions,
    basis: {
      kind,
      entries_per_month: formatRatio(volume.times, volume.over),
      hours_per_month: Number(hoursPerMonth),
      observed: {
        entries: Number(observed.entries),
        from: firstHour.toISOString(),
        to: new Date(lastHour.getTime() + hour).toISOString(),
        hours: (lastHour.getTime() - firstHour.getTime()) / hour + 1,
      },
    },
    month: presentMonths(projected, 1n),
    twelve_months: presentMonths(projected, 12n),
    notes: notesOn(query),
  };
}

/** Entries per month, as an exact fraction. */
function volumeOf(
  { entries_per_month: perMonth, entries_per_second: perSecond }: ProjectionQuery,
  { entries, firstHour, lastHour }: Observation,
): { kind: Projection['basis']['kind']; volume: Ratio } {
  if (perMonth) return { kind: 'entries_per_month', volume: perMonth.value };
  if (perSecond) {
    const { times, over } = perSecond.value;
    return { kind: 'entries_per_second', volume: { times: times * secondsPerMonth, over } };
  }
  const hours = observedHours(firstHour, lastHour);
  if (hours === undefined) {
    throw new AppError(
      'INVALID_STATE',
      'All entries are of one hour, from which no rate can be observed: name a volume with entries_per_month or entries_per_second.',
    );
  }
  return { kind: 'observed_rate', volume: { times: entries * hoursPerMonth, over: hours } };
}

function presentMonths({ over, ...cost }: ProjectedMonth, times: bigint): Projection['month'] {
  const scale = { times, parts: over };
  return { totals: presentTotals(cost, scale), cost_breakdown: presentLines(cost, scale) };
}
