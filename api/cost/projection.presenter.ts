import { formatRatio } from '../../shared/cost/money.ts';
import { priceMonths } from '../../shared/cost/monthly-usage.ts';
import { readMonthsOn } from '../../shared/cost/months-on-terms.ts';
import { hasPipeline } from '../../shared/cost/pipeline/derive-hour.ts';
import { monthOfPipeline } from '../../shared/cost/pipeline/pipeline-month.ts';
import { presentLines, presentTotals } from '../../shared/cost/present-cost.ts';
import {
  hoursPerMonth,
  observedHours,
  type ProjectedMonth,
  projectMonth,
  type Ratio,
} from '../../shared/cost/projection.ts';
import { type ChangedTerms, changeTerms } from '../../shared/cost/what-if.ts';
import { hour } from '../../shared/durations.ts';
import { AppError } from '../../shared/errors.ts';
import type { Scenario } from '../../shared/scenarios/scenario.model.ts';
import { epochPeriod } from '../../shared/usage/periods.ts';
import { startOfHour, sumUsage, type UsageCounters } from '../../shared/usage/usage.ts';
import { requirePossiblePipeline } from './changed-pipeline.ts';
import type { Projection } from './estimates.answers.ts';
import { type EstimateDeps, notesOn } from './estimates.presenter.ts';
import type { ProjectionQuery } from './estimates.schemas.ts';

const secondsPerMonth = hoursPerMonth * 3_600n;

/** The entries of the period: how many, from when to when. */
interface Observation {
  entries: bigint;
  firstHour: Date;
  lastHour: Date;
}

interface Volume {
  kind: Projection['basis']['kind'];
  /** Entries per month. */
  volume: Ratio;
}

/**
 * Prices a month at a volume of the scenario's entries.
 * @throws AppError INVALID_STATE without entries, and if the rate cannot be observed.
 */
export async function projectScenario(
  scenario: Pick<Scenario, '_id' | 'region' | 'assumptions'>,
  query: ProjectionQuery,
  deps: EstimateDeps,
): Promise<Projection> {
  const { priceBook: book } = deps;
  const terms = changeTerms(scenario, query);
  requirePossiblePipeline(terms, query, book);
  const { usage, ...observed } = await observe(scenario, terms, query, deps);
  const volume = volumeOf(query, observed);
  const projected = hasPipeline(terms.assumptions)
    ? await projectPipeline(scenario, terms, observed, volume, deps)
    : await projectMonth(usage, perEntry(volume, observed), pricingOn(terms, deps));
  const { firstHour, lastHour } = observed;
  return {
    scenario_id: scenario._id,
    currency: book.currency,
    price_book: { version: book.version, as_of: book.asOf },
    region: terms.region,
    assumptions: terms.assumptions,
    basis: {
      kind: volume.kind,
      entries_per_month: formatRatio(volume.volume.times, volume.volume.over),
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
    notes: notesOn(query, terms),
  };
}

/**
 * The entries of the period and their usage without a pipeline. For a pipeline, an hour that is
 * not over is left out, because its polls and batches are those of a part; unless it is the only
 * one.
 * @throws AppError INVALID_STATE without entries.
 */
async function observe(
  scenario: Pick<Scenario, '_id' | 'assumptions'>,
  terms: ChangedTerms,
  { from, to }: ProjectionQuery,
  deps: EstimateDeps,
): Promise<Observation & { usage: UsageCounters }> {
  const { pipeline, ...simple } = terms.assumptions;
  const read = async (end: Date | undefined) => {
    const [months] = await readMonthsOn(deps, scenario, [{ ...terms, assumptions: simple }], { from, to: end });
    return months;
  };
  const thisHour = new Date(startOfHour(Date.now()));
  const isOver = pipeline === undefined || (to && to <= thisHour);
  let found = await read(isOver ? to : thisHour);
  if (found.firstHour === null && !isOver) found = await read(to);
  const { months, firstHour, lastHour, period } = found;
  if (firstHour === null || lastHour === null) {
    throw new AppError('INVALID_STATE', 'The scenario has no entries in the period, so there is no average entry.');
  }
  const start = epochPeriod(period).from;
  const usage = sumUsage(months.filter((month) => month.hour.getTime() >= start));
  return { usage, entries: usage.logs, firstHour, lastHour };
}

/** The observed hours at the volume, times the hours of a month over theirs. */
async function projectPipeline(
  scenario: Pick<Scenario, '_id' | 'assumptions'>,
  terms: ChangedTerms,
  { entries, firstHour, lastHour }: Observation,
  { kind, volume }: Volume,
  deps: EstimateDeps,
): Promise<ProjectedMonth> {
  const period = { from: firstHour, to: new Date(lastHour.getTime() + hour) };
  const hours = BigInt((lastHour.getTime() - firstHour.getTime()) / hour + 1);
  // The volume over that of the observed hours in a month.
  const ratio = { times: volume.times * hours, over: volume.over * entries * hoursPerMonth };
  const atVolume = kind === 'observed_rate' ? terms : { ...terms, volume: ratio };
  const [{ months }] = await readMonthsOn(deps, scenario, [atVolume], period);
  const start = firstHour.getTime();
  const month = monthOfPipeline(
    months.filter((part) => part.hour.getTime() >= start),
    { ofHours: { times: hoursPerMonth, over: hours }, ofEntries: perEntry({ volume }, { entries }) },
  );
  const cost = await priceMonths({ months: [{ hour: firstHour, ...month }], period: {} }, pricingOn(terms, deps));
  return { ...cost, over: 1n };
}

/** The entries of a month over the observed ones. */
function perEntry({ volume }: Pick<Volume, 'volume'>, { entries }: Pick<Observation, 'entries'>): Ratio {
  return { times: volume.times, over: volume.over * entries };
}

const pricingOn = ({ region, assumptions, asModel }: ChangedTerms, { priceBook: book, config }: EstimateDeps) => ({
  region,
  assumptions,
  asModel,
  book,
  fallback: config.priceFallback,
});

/** Entries per month, as an exact fraction. */
function volumeOf(
  { entries_per_month: perMonth, entries_per_second: perSecond }: ProjectionQuery,
  { entries, firstHour, lastHour }: Observation,
): Volume {
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
