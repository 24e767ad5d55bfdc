import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { useRef } from 'preact/hooks';
import { readFor } from '../../client/api.ts';
import { ApiError, type FieldError } from '../../client/api-error.ts';
import type { DesignCost, Designs, Scenario } from '../../client/responses.ts';
import { useSettled } from '../../components/settled.ts';
import type { Bounds } from '../../period/period.ts';
import { scenariosPath } from '../../scenarios/scenario-queries.ts';
import { designOf, isChanged, triedVolume } from './tried-designs.ts';

const readDesigns = (id: string, volume: number | undefined, body: object, bounds: Bounds, signal: AbortSignal) =>
  readFor<Designs>(
    `${scenariosPath}/${id}/designs`,
    { ...body, ...(volume === undefined ? {} : { volume: { entries_per_month: volume } }) },
    { ...bounds },
    signal,
  );

/** The standard designs, and the scenario as it is. */
export function useStandardDesigns(scenario: Scenario, version: string, bounds: Bounds) {
  const volume = useSettled(triedVolume());
  return useQuery({
    queryKey: ['scenario', scenario.id, 'designs', version, bounds, volume],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => readDesigns(scenario.id, volume, {}, bounds, signal),
  });
}

interface TriedCost {
  readonly cost: DesignCost;
  /** Whether `cost` is that of an earlier design: until a response arrives, or after a refusal. */
  readonly isOld: boolean;
  readonly error: unknown;
}

/**
 * The usage and cost of the design that the page shows.
 * @param present the usage and cost of the scenario as it is.
 */
export function useTriedCost(scenario: Scenario, version: string, bounds: Bounds, present: DesignCost): TriedCost {
  const isTried = isChanged(scenario);
  const wanted = { design: designOf(scenario), bounds, volume: triedVolume() };
  const settled = useSettled(wanted);
  const query = useQuery({
    queryKey: ['scenario', scenario.id, 'design', version, settled],
    enabled: isTried,
    queryFn: async ({ signal }) => {
      const { pipeline = null, ...assumptions } = settled.design;
      const body = { designs: [{ name: 'this design', assumptions: { ...assumptions, pipeline } }] };
      const { items } = await readDesigns(scenario.id, settled.volume, body, settled.bounds, signal);
      return items[0] as DesignCost;
    },
  });
  // A late response for an earlier design is not shown.
  const isSettled = JSON.stringify(settled) === JSON.stringify(wanted);
  const current = isTried ? (isSettled ? query.data : undefined) : present;
  const cost = useLast(current) ?? present;
  return { cost, isOld: current === undefined, error: isTried && isSettled ? query.error : null };
}

/** The value, or the last one before it became undefined. */
export function useLast<Value>(value: Value | undefined): Value | undefined {
  const last = useRef(value);
  if (value !== undefined) last.current = value;
  return last.current;
}

const designField = /^designs\[0\]\.assumptions\.(?:pipeline\.)?|^volume\./;

/** The errors of a refused design, by the names of its settings. */
export const settingErrors = (error: unknown): readonly FieldError[] =>
  error instanceof ApiError
    ? error.fields.map(({ field, error: fault }) => ({ field: field.replace(designField, ''), error: fault }))
    : [];
