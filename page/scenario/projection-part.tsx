import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { read } from '../client/api.ts';
import type { QueryValue } from '../client/api-client.ts';
import type { LiveMetrics, Projection } from '../client/responses.ts';
import { Amount, Time } from '../components/amount.tsx';
import { NumberInput } from '../components/number-fields.tsx';
import { Empty, Loaded } from '../components/states.tsx';
import { formatNumber } from '../format/amounts.ts';
import { incompleteNote } from '../format/names.ts';
import { scenariosPath } from '../scenarios/scenario-queries.ts';
import { CostTable } from './cost-table.tsx';
import type { PartProps } from './part-props.ts';
import { spanOf } from './period.ts';
import { changedTerms, resetTerms, termsOf, useSettled } from './what-if-terms.ts';

type Basis = 'observed' | 'entries_per_month' | 'entries_per_second';

const hour = 3_600_000;
/** The slider moves through powers of ten: 10^2 to 10^10 entries a month. */
const exponents = { min: 2, max: 10, step: 0.1 };

/** Shows the cost of a month of entries like these. */
export function ProjectionPart({ metrics, ...props }: PartProps) {
  return metrics && <ProjectionOf {...props} metrics={metrics} />;
}

function ProjectionOf({ scenario, metrics, version }: PartProps & { readonly metrics: LiveMetrics }) {
  const span = spanOf(metrics.period);
  // The period has whole hours, and the service observes no rate within one.
  const hasRate = span > hour;
  const [basis, setBasis] = useState<Basis>(hasRate ? 'observed' : 'entries_per_month');
  const [perMonth, setPerMonth] = useState(1_000_000);
  const [perSecond, setPerSecond] = useState('10');
  const terms = changedTerms(termsOf(scenario.id));
  const volume =
    basis === 'observed'
      ? {}
      : basis === 'entries_per_month'
        ? { entries_per_month: perMonth }
        : { entries_per_second: perSecond };
  const settled: Readonly<Record<string, QueryValue>> = useSettled({ ...terms, ...volume });
  // Without a rate, the service would answer for the observed one.
  const isComplete = settled['entries_per_second'] !== '';
  const query = useQuery({
    queryKey: ['scenario', scenario.id, 'projection', settled, version],
    placeholderData: keepPreviousData,
    enabled: metrics.totals.logs > 0 && isComplete,
    queryFn: ({ signal }) => read<Projection>(`${scenariosPath}/${scenario.id}/projection`, settled, signal),
  });
  if (metrics.totals.logs === 0) {
    return (
      <Empty title="Nothing to project yet.">
        <p>
          <a href={`#/scenarios/${scenario.id}/send`}>Send entries</a>: a projection multiplies the average of them.
        </p>
      </Empty>
    );
  }
  return (
    <section>
      <h2>A month of this</h2>
      <fieldset class="choices">
        <legend>How many entries a month</legend>
        <label>
          <input
            type="radio"
            name="basis"
            checked={basis === 'observed'}
            disabled={!hasRate}
            onChange={() => setBasis('observed')}
          />
          <span>
            As many as observed
            {!hasRate && <span class="hint"> (all entries are of one hour, from which no rate can be observed)</span>}
          </span>
        </label>
        <label>
          <input
            type="radio"
            name="basis"
            checked={basis === 'entries_per_month'}
            onChange={() => setBasis('entries_per_month')}
          />
          <span>Entries a month</span>
        </label>
        {basis === 'entries_per_month' && (
          <div class="slider">
            <input
              type="range"
              {...exponents}
              value={Math.log10(perMonth)}
              aria-label="Entries a month"
              aria-valuetext={`${formatNumber(perMonth)} entries`}
              onInput={(event) => setPerMonth(toTwoDigits(10 ** Number(event.currentTarget.value)))}
            />
            <NumberInput
              label="Entries a month, as a number"
              value={perMonth}
              min={1}
              max={1e15}
              step={1}
              onValue={setPerMonth}
            />
            <span class="unit">entries</span>
          </div>
        )}
        <label>
          <input
            type="radio"
            name="basis"
            checked={basis === 'entries_per_second'}
            onChange={() => setBasis('entries_per_second')}
          />
          <span>Entries a second</span>
        </label>
        {basis === 'entries_per_second' && (
          <div class="slider">
            <input
              type="number"
              class="number"
              min={0.000000001}
              step="any"
              value={perSecond}
              aria-label="Entries a second"
              onInput={(event) => setPerSecond(event.currentTarget.value)}
            />
            <span class="unit">entries a second, at all times</span>
          </div>
        )}
      </fieldset>
      {Object.keys(terms).length > 0 && (
        <p class="note-line">
          On the terms of <a href={`#/scenarios/${scenario.id}/what-if`}>What if</a>.{' '}
          <button type="button" class="quiet" onClick={() => resetTerms(scenario.id)}>
            Use the present terms
          </button>
        </p>
      )}
      {isComplete ? (
        <Loaded query={query} what="the projection">
          {(projection) => <ProjectedCosts projection={projection} isOld={query.isPlaceholderData} />}
        </Loaded>
      ) : (
        <p class="hint">Enter how many entries a second.</p>
      )}
    </section>
  );
}

interface ProjectedProps {
  readonly projection: Projection;
  readonly isOld: boolean;
}

function ProjectedCosts({ projection: { basis: used, month, twelve_months: year, notes }, isOld }: ProjectedProps) {
  return (
    <div aria-busy={isOld} class={isOld ? 'old' : ''}>
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
      <p class="hint">
        It rests on {formatNumber(used.observed.entries)} entries from <Time iso={used.observed.from} /> to{' '}
        <Time iso={used.observed.to} />; a month has {used.hours_per_month} hours.
      </p>
      <CostTable caption="One month" lines={month.cost_breakdown} total={month.totals.cost} />
      <ul class="notes">
        {notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    </div>
  );
}

const toTwoDigits = (value: number) => Number(value.toPrecision(2));
