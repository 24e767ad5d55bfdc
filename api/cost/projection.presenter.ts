import { formatRatio } from '../../shared/cost/money.ts';
import { monthsInPeriod } from '../../shared/cost/monthly-usage.ts';
import { readMonthsOn } from '../../shared/cost/months-on-terms.ts';
import { hasPipeline } from '../../shared/cost/pipeline/derive-hour.ts';
import { presentServices, presentTotals } from '../../shared/cost/present-cost.ts';
import { hoursPerMonth, observedHours, type ProjectedMonth, type Ratio } from '../../shared/cost/projection.ts';
import { type ChangedTerms, changeTerms } from '../../shared/cost/what-if.ts';
import { hour } from '../../shared/durations.ts';
import { AppError } from '../../shared/errors.ts';
import type { Scenario } from '../../shared/scenarios/scenario.model.ts';
import { startOfHour, type UsageCounters } from '../../shared/usage/usage.ts';
import { requirePossiblePipeline } from './changed-pipeline.ts';
import { type EstimateDeps, notesOn, withOtherPrices } from './estimates.presenter.ts';
import type { Projection } from './estimates.responses.ts';
import type { ProjectionQuery } from './estimates.schemas.ts';
import { priceObservedMonth } from './observed-month.ts';
import { presentVersion } from './priced-usage.ts';

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
  ownDeps: EstimateDeps,
): Promise<Projection> {
  const deps = await withOtherPrices(query, ownDeps);
  const { priceBook: book } = deps;
  const terms = changeTerms(scenario, query);
  requirePossiblePipeline(terms, query, book);
  const { parts, ...observed } = await observe(scenario, terms, query, deps);
  const volume = volumeOf(query, observed);
  const hours = hoursOf(observed);
  const ratios = {
    ofHours: { times: hoursPerMonth, over: hours },
    ofEntries: { times: volume.volume.times, over: volume.volume.over * observed.entries },
  };
  const usage = hasPipeline(terms.assumptions) ? await readAtVolume(scenario, terms, observed, volume, deps) : parts;
  const projected = await priceObservedMonth(usage, terms, ratios, deps);
  const { firstHour, lastHour } = observed;
  return {
    scenario_id: scenario._id,
    currency: book.currency,
    price_book: presentVersion(book),
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
        hours: Number(hours),
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
): Promise<Observation & { parts: UsageCounters[] }> {
  const { pipeline, ...simple } = terms.assumptions;
  const read = async (end: Date | undefined) => {
    const [months] = await readMonthsOn(deps, scenario, [{ ...terms, assumptions: simple }], { from, to: end });
    return months;
  };
  const thisHour = new Date(startOfHour(Date.now()));
  const isOver = pipeline === undefined || (to && to <= thisHour);
  let found = await read(isOver ? to : thisHour);
  if (found.firstHour === null && !isOver) found = await read(to);
  const { firstHour, lastHour } = found;
  if (firstHour === null || lastHour === null) {
    throw new AppError('INVALID_STATE', 'The scenario has no entries in the period, so there is no average entry.');
  }
  const parts = monthsInPeriod(found);
  const entries = parts.reduce((sum, { logs }) => sum + logs, 0n);
  return { parts, entries, firstHour, lastHour };
}

const hoursOf = ({ firstHour, lastHour }: Observation) => BigInt((lastHour.getTime() - firstHour.getTime()) / hour + 1);

/** The usage of the pipeline in the observed hours, at the volume. */
async function readAtVolume(
  scenario: Pick<Scenario, '_id' | 'assumptions'>,
  terms: ChangedTerms,
  observed: Observation,
  { kind, volume }: Volume,
  deps: EstimateDeps,
): Promise<UsageCounters[]> {
  const { entries, firstHour, lastHour } = observed;
  const period = { from: firstHour, to: new Date(lastHour.getTime() + hour) };
  // The volume over that of the observed hours in a month.
  const ratio = { times: volume.times * hoursOf(observed), over: volume.over * entries * hoursPerMonth };
  const atVolume = kind === 'observed_rate' ? terms : { ...terms, volume: ratio };
  const [{ months }] = await readMonthsOn(deps, scenario, [atVolume], period);
  return months.filter((part) => part.hour.getTime() >= firstHour.getTime());
}

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
  return { totals: presentTotals(cost, scale), cost_breakdown: presentServices(cost, scale) };
}
