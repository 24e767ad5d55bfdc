import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { type Bounds, isReversed } from '../period/period.ts';
import { queryClient } from './api.ts';
import { ApiError } from './api-error.ts';
import type { LiveMetrics } from './responses.ts';
import { authorized, session } from './session.ts';

/** In ms, between two polls. */
const pollEvery = 2_000;

interface Polled {
  readonly metrics: LiveMetrics;
  /** Changes with the numbers, and with the scenario. */
  readonly version: string;
}

/**
 * The metrics of a period, polled while the component is shown: neither in a hidden tab nor after
 * the end of the session.
 */
export const useLiveMetrics = (scenarioId: string, bounds: Bounds) =>
  useQuery<Polled>({
    queryKey: ['scenario', scenarioId, 'metrics', bounds],
    placeholderData: keepPreviousData,
    enabled: session.value.state !== 'ended' && !isReversed(bounds),
    refetchInterval: ({ state: { error } }) => (error instanceof ApiError && error.status === 404 ? false : pollEvery),
    queryFn: async ({ queryKey, signal }) => {
      const known = queryClient.getQueryData<Polled>(queryKey);
      const response = await authorized(`/api/v1/scenarios/${scenarioId}/metrics`, {
        query: { ...bounds, interval: 'day', limit: 1 },
        headers: known ? { 'If-None-Match': known.version } : {},
        signal,
      });
      if (response.status === 304 && known) return known;
      return { metrics: (await response.json()) as LiveMetrics, version: response.headers.get('ETag') ?? '' };
    },
  });
