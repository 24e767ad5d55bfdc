import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { useRef } from 'preact/hooks';
import { readFor } from '../../client/api.ts';
import { ApiError, type FieldError } from '../../client/api-error.ts';
import type { DesignCost, Designs, Scenario } from '../../client/responses.ts';
import { scenariosPath } from '../../scenarios/scenario-queries.ts';
import { useSettled } from '../what-if-terms.ts';
import { designOf, isChanged } from './tried-designs.ts';

/** The chosen period as ISO times; empty for an open end. */
export interface ChosenPeriod {
  readonly from: string;
  readonly to: string;
}

/** The standard designs, and the scenario as it is. */
export function useStandardDesigns({ id }: Scenario, version: string, period: ChosenPeriod) {
  const settled = useSettled(period);
  return useQuery({
    queryKey: ['scenario', id, 'designs', version, settled],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => readFor<Designs>(`${scenariosPath}/${id}/designs`, {}, { ...settled }, signal),
  });
}

interface TriedCost {
  readonly cost: DesignCost;
  /** Whether it is that of an earlier design, until the next response or after a refusal. */
  readonly isOld: boolean;
  readonly error: unknown;
}

/**
 * The usage and cost of the design that is shown. Responses for earlier designs are not.
 * @param present those of the scenario as it is.
 */
export function useTriedCost(
  scenario: Scenario,
  version: string,
  period: ChosenPeriod,
  present: DesignCost,
): TriedCost {
  const isTried = isChanged(scenario);
  const wanted = { design: designOf(scenario), period };
  const settled = useSettled(wanted);
  const query = useQuery({
    queryKey: ['scenario', scenario.id, 'design', version, settled],
    enabled: isTried,
    queryFn: async ({ signal }) => {
      const body = { designs: [{ name: 'this design', assumptions: settled.design }] };
      const path = `${scenariosPath}/${scenario.id}/designs`;
      const { items } = await readFor<Designs>(path, body, { ...settled.period }, signal);
      return items[0] as DesignCost;
    },
  });
  const isSettled = JSON.stringify(settled) === JSON.stringify(wanted);
  const current = isTried ? (isSettled ? query.data : undefined) : present;
  const cost = useLast(current) ?? present;
  return { cost, isOld: current === undefined, error: isTried && isSettled ? query.error : null };
}

/** The last value that was there. */
export function useLast<Value>(value: Value | undefined): Value | undefined {
  const last = useRef(value);
  if (value !== undefined) last.current = value;
  return last.current;
}

const pipelineField = /^designs\[0\]\.assumptions\.pipeline\./;

/** The errors of a refused design, by the names of its settings. */
export const settingErrors = (error: unknown): readonly FieldError[] =>
  error instanceof ApiError
    ? error.fields.map(({ field, error: fault }) => ({ field: field.replace(pipelineField, ''), error: fault }))
    : [];
