import { useState } from 'preact/hooks';
import type { Metrics } from '../client/responses.ts';
import { Time } from '../components/amount.tsx';
import { Chart } from '../components/chart.tsx';
import { Empty } from '../components/states.tsx';
import { formatNumber } from '../format/amounts.ts';
import { piiNames } from '../format/names.ts';
import { CostTable } from './cost-table.tsx';
import type { PartProps } from './part-props.ts';
import { spanOf } from './period.ts';
import { type Interval, TimeTable } from './time-table.tsx';

/** In ms: longer periods are shown by day at first. */
const longSpan = 21 * 24 * 3_600_000;

export function OverviewPart({ scenario, metrics, version }: PartProps) {
  const [chosen, choose] = useState<Interval | null>(null);
  if (!metrics) return null;
  const { totals, period, cost_breakdown: lines } = metrics;
  const interval = chosen ?? (spanOf(period) > longSpan ? 'day' : 'hour');
  if (totals.logs === 0) {
    return (
      <Empty title="No entries yet.">
        <p>
          {scenario.status === 'draft' ? 'Start the scenario, then ' : ''}
          <a href={`#/scenarios/${scenario.id}/send`}>send it entries</a>: drop a log file, or point a log shipper at
          it.
        </p>
      </Empty>
    );
  }
  const chart = { scenarioId: scenario.id, version };
  return (
    <>
      <section>
        <h2>Cost by service</h2>
        <CostTable caption="Usage and cost of all entries" lines={lines} total={totals.cost} />
        <Chart
          {...chart}
          kind="cost-by-service"
          description="Bar chart of the cost by service, as in the table above"
        />
      </section>
      <section>
        <div class="section-head">
          <h2>Over time</h2>
          <fieldset class="switch">
            <legend class="visually-hidden">Steps of time</legend>
            {(['hour', 'day'] as const).map((step) => (
              <label key={step}>
                <input
                  type="radio"
                  name="interval"
                  value={step}
                  checked={interval === step}
                  onChange={() => choose(step)}
                />
                <span>By {step}</span>
              </label>
            ))}
          </fieldset>
        </div>
        <p class="hint" data-testid="period">
          From <Time iso={period.from} /> to <Time iso={period.to} />
        </p>
        <Chart
          {...chart}
          kind="cost-over-time"
          interval={interval}
          description={`Chart of the cost by ${interval}; the table of the ${interval}s below has its numbers`}
        />
        <Chart
          {...chart}
          kind="logs-over-time"
          interval={interval}
          description={`Chart of the entries by ${interval}; the table of the ${interval}s below has its numbers`}
        />
        <TimeTable scenarioId={scenario.id} interval={interval} version={version} />
      </section>
      <PersonalData totals={totals} chart={chart} />
    </>
  );
}

interface PersonalDataProps {
  readonly totals: Metrics['totals'];
  readonly chart: { readonly scenarioId: string; readonly version: string };
}

function PersonalData({ totals, chart }: PersonalDataProps) {
  return (
    <section>
      <h2>Personal data</h2>
      <table>
        <caption>Findings by kind, in {formatNumber(totals.pii_logs)} entries</caption>
        <thead>
          <tr>
            <th scope="col">Kind</th>
            <th scope="col" class="number">
              Findings
            </th>
          </tr>
        </thead>
        <tbody>
          {(Object.keys(piiNames) as (keyof typeof piiNames)[]).map((kind) => (
            <tr key={kind}>
              <th scope="row">{piiNames[kind]}</th>
              <td class="number">{formatNumber(totals.pii[kind])}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <Chart {...chart} kind="pii-by-type" description="Bar chart of the findings by kind, as in the table above" />
    </section>
  );
}
