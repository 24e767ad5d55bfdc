import { formatBytes, formatExactUsd, formatNumber, formatUsd } from '../../shared/amounts.ts';
import { linkTo } from '../app/address.ts';
import type { LiveMetrics } from '../client/responses.ts';
import { Loading } from '../components/states.tsx';
import { costStatusNames, incompleteNote } from '../format/names.ts';

interface TotalsProps {
  readonly metrics: LiveMetrics | null;
  /** Whether they are those of another period. */
  readonly isOld: boolean;
  /** Whether the last poll had a response. */
  readonly isConnected: boolean;
}

/** The totals of a scenario in the chosen period. */
export function Totals({ metrics, isOld, isConnected }: TotalsProps) {
  if (!metrics) return <Loading what="the totals" />;
  const { logs, size_bytes, pii_logs, cost, status, incomplete } = metrics.totals;
  const certainty = incomplete ? incompleteNote : costStatusNames[status];
  return (
    <section class={`totals ${isOld ? 'old' : ''}`} aria-label="Totals" aria-busy={isOld}>
      <dl>
        <div>
          <dt>Cost {certainty && <span class="badge note">{certainty}</span>}</dt>
          <dd>
            <span class="big" data-testid="total">
              {formatUsd(cost)}
            </span>
            <span class="hint">
              exactly{' '}
              <data value={cost ?? ''} data-testid="exact-total">
                {formatExactUsd(cost)}
              </data>
            </span>
          </dd>
        </div>
        <div>
          <dt>Entries</dt>
          <dd>
            <span class="big" data-testid="entries">
              {formatNumber(logs)}
            </span>
            <span class="hint">{formatBytes(size_bytes)}</span>
          </dd>
        </div>
        <div>
          <dt>With personal data</dt>
          <dd>
            <span class="big">{formatNumber(pii_logs)}</span>
            <span class="hint">
              {logs === 0 ? 'of no entries' : `${((pii_logs / logs) * 100).toFixed(2)} % of entries`}
            </span>
          </dd>
        </div>
        <div>
          <dt>Prices</dt>
          <dd>
            <a
              class="big small"
              href={linkTo(`/scenarios/${metrics.scenario_id}/prices`)}
              aria-label={`${metrics.price_book.as_of}: the prices and their sources`}
            >
              {metrics.price_book.as_of}
            </a>
            <span class="hint">with their sources, version {metrics.price_book.version}</span>
          </dd>
        </div>
      </dl>
      <p class={`live-state ${isConnected ? 'on' : ''}`}>{isConnected ? 'Live' : 'Connecting…'}</p>
    </section>
  );
}
