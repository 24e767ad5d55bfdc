import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { queryClient, read } from '../client/api.ts';
import { isReachable } from '../client/connection.ts';
import type { Comparison, Metrics, ModelList, RegionList, Scenario, ScenarioList } from '../client/responses.ts';
import { isOpenToAll, isSignedIn, session } from '../client/session.ts';

export const scenariosPath = '/api/v1/scenarios';

/** Regions and models change with a new version of the price book, which is rare. */
const bookLifetime = { staleTime: 60_000 };

export const useRegions = () =>
  useQuery({
    queryKey: ['regions'],
    ...bookLifetime,
    queryFn: ({ signal }) => read<RegionList>('/api/v1/regions', {}, signal),
  });

export const useModels = () =>
  useQuery({
    queryKey: ['models'],
    ...bookLifetime,
    queryFn: ({ signal }) => read<ModelList>('/api/v1/models', {}, signal),
  });

export interface ScenarioFilter {
  readonly search: string;
  readonly status: string;
  readonly include_archived: boolean;
  readonly page: number;
}

/** As many as can be compared, so that one request reads the costs of a page. */
export const scenariosPerPage = 10;

/** Changes by others show by themselves, as long as there is somebody to read them for. */
const listInterval = () => (isReachable.value && session.value.state !== 'ended' ? 5_000 : false);

export const useScenarios = (filter: ScenarioFilter) =>
  useQuery({
    queryKey: ['scenarios', filter],
    placeholderData: keepPreviousData,
    refetchInterval: listInterval(),
    queryFn: ({ signal }) =>
      read<ScenarioList>(
        scenariosPath,
        { ...filter, search: filter.search.trim(), page_size: scenariosPerPage },
        signal,
      ),
  });

export const useScenario = (id: string) =>
  useQuery({
    queryKey: ['scenario', id],
    queryFn: ({ signal }) => read<Scenario>(`${scenariosPath}/${id}`, {}, signal),
  });

/** The entries and the total cost of a scenario. */
export interface ScenarioCost {
  readonly logs: number;
  readonly cost: string | null;
  /** Whether the cost is without parts that have no price. */
  readonly incomplete: boolean;
}

/** The costs of up to ten scenarios, by id. */
export const useCosts = (ids: readonly string[]) =>
  useQuery({
    queryKey: ['costs', ids],
    // A list with another scenario keeps the figures of the others.
    placeholderData: keepPreviousData,
    refetchInterval: listInterval(),
    enabled: ids.length > 0 && (isOpenToAll || isSignedIn()),
    queryFn: async ({ signal }): Promise<ReadonlyMap<string, ScenarioCost>> => {
      const [id = ''] = ids;
      // A comparison takes at least two.
      if (ids.length === 1) {
        const query = { limit: 1, interval: 'day' };
        return new Map([[id, (await read<Metrics>(`${scenariosPath}/${id}/metrics`, query, signal)).totals]]);
      }
      const { items } = await readComparison(ids, signal);
      return new Map(items.map((item) => [item.id, { ...item, cost: item.cost.total }]));
    },
  });

export const readComparison = (ids: readonly string[], signal?: AbortSignal) =>
  read<Comparison>(`${scenariosPath}/compare`, { ids: ids.join(',') }, signal);

/** After a write: what was read of scenarios is read again, costs when they are next shown. */
export async function refreshScenarios(): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: ['scenarios'] }),
    queryClient.invalidateQueries({ queryKey: ['scenario'] }),
    queryClient.invalidateQueries({ queryKey: ['costs'], refetchType: 'none' }),
  ]);
}
