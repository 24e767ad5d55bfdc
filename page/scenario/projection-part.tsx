import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { hour } from '../../shared/durations.ts';
import { addressQuery, changeQuery, linkTo } from '../app/address.ts';
import { read } from '../client/api.ts';
import { ApiError } from '../client/api-error.ts';
import type { LiveMetrics, Projection } from '../client/responses.ts';
import { Amount, Time } from '../components/amount.tsx';
import { useSettled } from '../components/settled.ts';
import { Empty, Loaded, MarkOld } from '../components/states.tsx';
import { formatNumber } from '../format/amounts.ts';
import { currentHourNote, incompleteNote } from '../format/names.ts';
import { inPageWords } from '../format/page-words.ts';
import { endedHours, spanWithin } from '../period/period.ts';
import { scenariosPath } from '../scenarios/scenario-queries.ts';
import { CostTable } from './cost-table.tsx';
import { NoEntries } from './no-entries.tsx';
import type { PartProps } from './part-props.ts';
import { isRate, parseVolume, queryOf } from './volume.ts';
import { VolumeFields } from './volume-fields.tsx';
import { resetTerms, triedTerms } from './what-if-terms.ts';

/** Shows the cost of a month of entries like these. */
export function ProjectionPart({ metrics, ...props }: PartProps) {
  return metrics && <ProjectionOf {...props} metrics={metrics} />;
}

function ProjectionOf({ scenario, metrics, bounds, version }: PartProps & { readonly metrics: LiveMetrics }) {
  const span = spanWithin(bounds, metrics.period);
  const ended = span && endedHours(span);
  // The service observes no rate within one hour.
  const hasRate = ended !== null && ended.end - ended.start > hour;
  const volume = parseVolume(addressQuery(), hasRate);
  const terms = triedTerms();
  // The service counts the current hour as a whole one, unless there is a design.
  const isEnded = volume.basis === 'observed' && hasRate && span !== null && ended.end < span.end;
  const lastEnd = isEnded ? new Date(ended.end).toISOString() : null;
  const settled = useSettled({ params: { ...terms, ...queryOf(volume), ...bounds }, lastEnd });
  const isComplete = isRate(settled.params.entries_per_second);
  const query = useQuery({
    queryKey: ['scenario', scenario.id, 'projection', settled, version],
    placeholderData: keepPreviousData,
    enabled: span !== null && isComplete,
    queryFn: ({ signal }) =>
      projectEnded(settled, (params) => read(`${scenariosPath}/${scenario.id}/projection`, params, signal)),
  });
  if (metrics.totals.logs === 0) {
    return (
      <NoEntries scenario={scenario} title="Nothing to project yet.">
        : a projection multiplies the average of them.
      </NoEntries>
    );
  }
  if (span === null) return <Empty title="No entries in this period, so nothing to project." />;
  return (
    <section>
      <h2>A month of this</h2>
      <VolumeFields {...{ volume, hasRate }} setVolume={(changed) => changeQuery(queryOf(changed))} />
      {Object.keys(terms).length > 0 && (
        <p class="note-line">
          With the changes of <a href={linkTo(`/scenarios/${scenario.id}/what-if`)}>What if</a>.{' '}
          <button type="button" class="quiet" onClick={resetTerms}>
            Use the settings of the scenario
          </button>
        </p>
      )}
      {isComplete ? (
        <Loaded query={query} what="the projection">
          {(projection) => (
            <ProjectedCosts
              projection={projection}
              isOld={query.isPlaceholderData}
              isCurrent={span.end > Date.now() && Date.parse(projection.basis.observed.to) < span.end}
            />
          )}
        </Loaded>
      ) : (
        <p class="field-error" role="alert">
          Enter how many entries a second, as a number above 0.
        </p>
      )}
    </section>
  );
}

/**
 * Projects the hours up to `lastEnd`, or all hours if the period has entries of one of those only,
 * from which the service observes no rate.
 */
async function projectEnded<Params extends object>(
  { params, lastEnd }: { readonly params: Params; readonly lastEnd: string | null },
  project: (params: Params) => Promise<Projection>,
): Promise<Projection> {
  if (lastEnd === null) return project(params);
  try {
    return await project({ ...params, to: lastEnd });
  } catch (error) {
    if (error instanceof ApiError && error.code === 'INVALID_STATE') return project(params);
    throw error;
  }
}

interface ProjectedProps {
  readonly projection: Projection;
  readonly isOld: boolean;
  /** Whether the period has the current hour, which was left out. */
  readonly isCurrent: boolean;
}

function ProjectedCosts({ projection, isOld, isCurrent }: ProjectedProps) {
  const { basis: used, month, twelve_months: year, notes } = projection;
  return (
    <MarkOld isOld={isOld}>
      <dl class="figures">
        <div>
          <dt>One month</dt>
          <dd class="big">
            <span role="status">
              <Amount usd={month.totals.cost} />
              {month.totals.incomplete && <span class="hint">{incompleteNote}</span>}
            </span>
          </dd>
        </div>
        <div>
          <dt>Twelve months</dt>
          <dd class="big">
            <Amount usd={year.totals.cost} />
            {year.totals.incomplete && <span class="hint">{incompleteNote}</span>}
          </dd>
        </div>
        <div>
          <dt>Entries a month</dt>
          <dd class="big">{formatNumber(used.entries_per_month, 0)}</dd>
        </div>
      </dl>
      <p class="hint after-figures">
        Calculated from {formatNumber(used.observed.entries)} entries from <Time iso={used.observed.from} /> to{' '}
        <Time iso={used.observed.to} /> as if the log went on like this for a month of {used.hours_per_month} hours.
        {isCurrent && ` ${currentHourNote}`}
      </p>
      <CostTable caption="One month" lines={month.cost_breakdown} total={month.totals.cost} />
      <ul class="notes">
        {notes.map((note) => (
          <li key={note}>{inPageWords(note)}</li>
        ))}
      </ul>
    </MarkOld>
  );
}
