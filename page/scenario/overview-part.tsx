import { formatNumber } from '../../shared/amounts.ts';
import type { Metrics } from '../client/responses.ts';
import { piiNames } from '../format/names.ts';
import { spanWithin } from '../period/period.ts';
import { Bar } from './charts/bar.tsx';
import { TimePart } from './charts/time-part.tsx';
import { CostTable } from './cost-table.tsx';
import { NoEntries } from './no-entries.tsx';
import type { PartProps } from './part-props.ts';

export function OverviewPart({ scenario, metrics, shown, bounds, version }: PartProps) {
  if (!metrics) return null;
  if (metrics.totals.logs === 0) {
    return (
      <NoEntries scenario={scenario} title="No entries yet.">
        : drop a log file, or let a program forward its log.
      </NoEntries>
    );
  }
  const span = spanWithin(bounds, metrics.period);
  return (
    <>
      {span && <TimePart scenarioId={scenario.id} bounds={bounds} length={span.end - span.start} version={version} />}
      {shown && (
        <>
          <section>
            <h2>Cost by service</h2>
            <CostTable
              caption="Usage and cost of the entries of this period"
              lines={shown.cost_breakdown}
              total={shown.totals.cost}
            />
          </section>
          <PersonalData totals={shown.totals} />
        </>
      )}
    </>
  );
}

function PersonalData({ totals: { pii, pii_logs: entries } }: Pick<Metrics, 'totals'>) {
  const kinds = Object.keys(piiNames) as (keyof typeof piiNames)[];
  const most = Math.max(1, ...kinds.map((kind) => pii[kind]));
  return (
    <section>
      <h2>Personal data</h2>
      <table>
        <caption>Findings by kind, in {formatNumber(entries)} entries</caption>
        <thead>
          <tr>
            <th scope="col">Kind</th>
            <th scope="col" class="number">
              Findings
            </th>
          </tr>
        </thead>
        <tbody>
          {kinds.map((kind) => (
            <tr key={kind}>
              <th scope="row">
                {piiNames[kind]}
                <Bar share={pii[kind] / most} color="series-2" />
              </th>
              <td class="number">{formatNumber(pii[kind])}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
