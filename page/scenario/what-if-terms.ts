import { signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import type { Terms } from './terms-fields.tsx';

/**
 * The terms that were tried, by scenario, while the page is open: the projection takes them over.
 */
export const triedTerms = signal<ReadonlyMap<string, Terms>>(new Map());

export const termsOf = (scenarioId: string): Terms => triedTerms.value.get(scenarioId) ?? {};

export function changeTerms(scenarioId: string, changes: Terms): void {
  triedTerms.value = new Map(triedTerms.value).set(scenarioId, { ...termsOf(scenarioId), ...changes });
}

export function resetTerms(scenarioId: string): void {
  const next = new Map(triedTerms.value);
  next.delete(scenarioId);
  triedTerms.value = next;
}

/** Leaves out the terms that stay as they are. */
export const changedTerms = (terms: Terms): Record<string, string | number | boolean> =>
  Object.fromEntries(Object.entries(terms).filter(([, value]) => value !== undefined && value !== ''));

/** In ms: so long after the last move of a slider, the request is sent. */
const settleAfter = 200;

/** A value once it has stopped changing. */
export function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  const text = JSON.stringify(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), settleAfter);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
