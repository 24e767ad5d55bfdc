import { useQuery } from '@tanstack/preact-query';
import { useRef } from 'preact/hooks';
import { read } from '../client/api.ts';
import type { LiveState } from '../client/live-metrics.ts';
import type { LiveMetrics, Metrics } from '../client/responses.ts';
import { type Bounds, isReversed } from '../period/period.ts';
import { scenariosPath } from '../scenarios/scenario-queries.ts';

interface PeriodMetrics {
  /** Null until the first ones are there; those of the previous period until the next ones are. */
  readonly shown: LiveMetrics | null;
  /** Whether they are those of another period. */
  readonly isOld: boolean;
}

/** The metrics of a period: those of all entries are polled, others are read. */
export function usePeriodMetrics(id: string, { metrics }: LiveState, bounds: Bounds, version: string): PeriodMetrics {
  const isAll = bounds.from === '' && bounds.to === '';
  const query = useQuery({
    queryKey: ['scenario', id, 'period', bounds, version],
    // The first version is there with the first totals; without it, all would be read twice.
    enabled: !isAll && version !== '' && !isReversed(bounds),
    queryFn: ({ signal }) =>
      read<Metrics>(`${scenariosPath}/${id}/metrics`, { ...bounds, interval: 'day', limit: 1 }, signal),
  });
  const period = `${bounds.from} ${bounds.to}`;
  const last = useRef<{ shown: LiveMetrics | null; period: string }>({ shown: null, period });
  const present = isAll ? metrics : query.data;
  if (present) last.current = { shown: present, period };
  return { shown: last.current.shown, isOld: last.current.period !== period };
}
