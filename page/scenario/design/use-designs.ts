import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { useRef } from 'preact/hooks';
import { addressQuery, changeQuery } from '../../app/address.ts';
import { readFor } from '../../client/api.ts';
import { ApiError, type FieldError } from '../../client/api-error.ts';
import type { DesignCost, Designs, Scenario } from '../../client/responses.ts';
import { useSettled } from '../../components/settled.ts';
import type { Bounds } from '../../period/period.ts';
import { scenariosPath } from '../../scenarios/scenario-queries.ts';
import { designOf, isChanged } from './chosen-design.ts';

/** The entries of a month in the address, which replace the observed rate; null without them. */
export function volumeOf(): number | null {
  const text = addressQuery().get('volume') ?? '';
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;
}

export const changeVolume = (entries: number | undefined): void =>
  changeQuery({ volume: entries === undefined ? undefined : String(entries) });

const volumeBody = (volume: number | null) => (volume === null ? {} : { volume: { entries_per_month: volume } });

/** The standard designs, and the scenario as it is. */
export function useStandardDesigns({ id }: Scenario, version: string, bounds: Bounds) {
  const volume = useSettled(volumeOf());
  return useQuery({
    queryKey: ['scenario', id, 'designs', version, bounds, volume],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      readFor<Designs>(`${scenariosPath}/${id}/designs`, volumeBody(volume), { ...bounds }, signal),
  });
}

interface TriedCost {
  readonly cost: DesignCost;
  /** Whether `cost` is that of an earlier design: until a response arrives, or after a refusal. */
  readonly isOld: boolean;
  readonly error: unknown;
}

/**
 * The usage and cost of the design that the page shows. A late response for an earlier design is
 * ignored.
 * @param present the usage and cost of the scenario as it is.
 */
export function useTriedCost(scenario: Scenario, version: string, bounds: Bounds, present: DesignCost): TriedCost {
  const isTried = isChanged(scenario);
  const wanted = { design: designOf(scenario), bounds, volume: volumeOf() };
  const settled = useSettled(wanted);
  const query = useQuery({
    queryKey: ['scenario', scenario.id, 'design', version, settled],
    enabled: isTried,
    queryFn: async ({ signal }) => {
      const { pipeline = null, ...assumptions } = settled.design;
      const body = {
        designs: [{ name: 'this design', assumptions: { ...assumptions, pipeline } }],
        ...volumeBody(settled.volume),
      };
      const path = `${scenariosPath}/${scenario.id}/designs`;
      const { items } = await readFor<Designs>(path, body, { ...settled.bounds }, signal);
      return items[0] as DesignCost;
    },
  });
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
