import { useState } from 'preact/hooks';
import { formatFineUsd, formatNumber } from '../../shared/amounts.ts';
import type { LiveMetrics, Service } from '../client/responses.ts';
import { Amount } from '../components/amount.tsx';
import { ListTable, numberColumn } from '../components/table.tsx';
import { costStatusNames, piiNames, serviceNames } from '../format/names.ts';
import { spanWithin } from '../period/period.ts';
import { Bar } from './charts/bar.tsx';
import { serviceColors } from './charts/chart-kinds.ts';
import { TimePart } from './charts/time-part.tsx';
import { ExplanationDialog } from './explanation-dialog.tsx';
import type { PartProps } from './part-props.ts';
import { Sentence } from './sentence.tsx';

/** The cost of the entries, by service and over time, and the personal data in them. */
export function OverviewPart({ scenario, metrics, isOld, bounds, entries, version }: PartProps) {
  /** The service whose amount is explained; null for the total. */
  const [explained, setExplained] = useState<Service | null | undefined>();
  const span = spanWithin(bounds, entries);
  return (
    <>
      <section aria-label="Summary">
        <Sentence {...{ scenario, metrics, bounds, version, isOld }} explain={() => setExplained(null)} />
      </section>
      <section>
        <h2>Cost by service</h2>
        <CostTable metrics={metrics} explain={setExplained} />
      </section>
      {span && <TimePart scenarioId={scenario.id} bounds={bounds} version={version} length={span.end - span.start} />}
      <PersonalData metrics={metrics} />
      {explained !== undefined && (
        <ExplanationDialog
          {...{ scenario, bounds, version }}
          service={explained}
          close={() => setExplained(undefined)}
        />
      )}
    </>
  );
}

interface CostTableProps {
  readonly metrics: LiveMetrics;
  readonly explain: (service: Service | null) => void;
}

/** Usage and cost by service, the dearest one first. An amount opens its explanation. */
function CostTable({ metrics: { cost_breakdown, totals }, explain }: CostTableProps) {
  const lines = cost_breakdown.toSorted((one, other) => Number(other.cost) - Number(one.cost));
  const amount = (service: Service | null, usd: string | null) => (
    <button
      type="button"
      class="inline"
      aria-label={`${formatFineUsd(usd)}, explained: ${service === null ? 'total' : serviceNames[service]}`}
      onClick={() => explain(service)}
    >
      <Amount usd={usd} />
    </button>
  );
  return (
    <ListTable
      caption="Usage and cost by service"
      columns={['Service', 'Usage', numberColumn('Cost'), 'Share']}
      foot={
        <tr>
          <th scope="row">Total</th>
          <td data-label="Usage">{formatNumber(totals.logs)} entries</td>
          <td data-label="Cost" class="number">
            {amount(null, totals.cost)}
          </td>
          <td />
        </tr>
      }
    >
      {lines.map(({ service, usage, cost, share, status, remarks = [] }) => (
        <tr key={service}>
          <th scope="row">{serviceNames[service]}</th>
          <td data-label="Usage">
            {formatUsage(usage)}
            {remarks.map((remark) => (
              <span key={remark} class="hint">
                {remark}
              </span>
            ))}
          </td>
          <td data-label="Cost" class="number">
            {amount(service, cost)}
            {cost !== null && costStatusNames[status] && <span class="hint">{costStatusNames[status]}</span>}
          </td>
          <td data-label="Share" class="share">
            <Bar share={Number(share ?? 0)} color={serviceColors[service]} />
            <span>{shareText(share)}</span>
          </td>
        </tr>
      ))}
    </ListTable>
  );
}

const unitNames: Readonly<Record<string, string>> = {
  requests: 'requests',
  invocations: 'invocations',
  gb_seconds: 'GB-seconds',
  input_tokens: 'input tokens',
  output_tokens: 'output tokens',
};

/** The usage of a service in words: `3,000 invocations, 37.5 GB-seconds`. */
const formatUsage = (usage: Readonly<Record<string, number | string>>): string =>
  Object.entries(usage)
    .map(([unit, quantity]) => `${formatNumber(quantity)} ${unitNames[unit] ?? unit.replaceAll('_', ' ')}`)
    .join(', ');

function shareText(share: string | null): string {
  if (share === null) return '–';
  const percent = Number(share) * 100;
  if (percent > 0 && percent < 1) return '< 1 %';
  return percent > 99 && percent < 100 ? '> 99 %' : `${Math.round(percent)} %`;
}

function PersonalData({ metrics: { totals } }: { readonly metrics: LiveMetrics }) {
  const found = (Object.keys(piiNames) as (keyof typeof piiNames)[]).filter((kind) => totals.pii[kind] > 0);
  return (
    <section>
      <h2>Personal data</h2>
      <p>
        {found.length === 0
          ? 'No e-mail address, national identifier or payment card was found.'
          : `In ${formatNumber(totals.pii_logs)} of ${formatNumber(totals.logs)} entries: ${found
              .map((kind) => `${formatNumber(totals.pii[kind])} ${piiNames[kind].toLowerCase()}`)
              .join(', ')}.`}
      </p>
      {totals.untimed > 0 && (
        <p class="hint">
          {totals.untimed === totals.logs
            ? 'No entry had a time of its own: all count at their arrival.'
            : `${formatNumber(totals.untimed)} entries had no time of their own: they count at their arrival.`}
        </p>
      )}
    </section>
  );
}
