import { architectures, queueTypes } from '../../shared/scenarios/assumptions.ts';

/**
 * The terms that a what-if and a projection can change; an undefined one stays as the scenario has
 * it.
 */
export interface Terms {
  readonly region?: string;
  readonly model?: string;
  readonly architecture?: string;
  readonly memory_mb?: number;
  readonly queue_type?: string;
  readonly requests_per_message?: number;
  readonly free_tier?: boolean;
}

type Value = string | number | boolean;

const oneOf = (values: readonly string[]) => (text: string) => (values.includes(text) ? text : undefined);
/** Which names exist, the API knows. */
const name = (text: string) => (/^[\w.:/-]{1,100}$/.test(text) ? text : undefined);
const whole = (text: string) => (/^\d{1,6}$/.test(text) ? Number(text) : undefined);

export const termReaders: Readonly<Record<keyof Terms, (text: string) => Value | undefined>> = {
  region: name,
  model: name,
  architecture: oneOf(architectures),
  memory_mb: whole,
  queue_type: oneOf(queueTypes),
  requests_per_message: whole,
  free_tier: (text) => (text === 'true' || text === 'false' ? text === 'true' : undefined),
};

/** The terms of an address. Malformed ones are left out. */
export function parseTerms(query: URLSearchParams): Terms {
  const found = Object.entries(termReaders).map(([term, readTerm]) => {
    const text = query.get(term);
    return [term, text === null ? undefined : readTerm(text)] as const;
  });
  return Object.fromEntries(found.filter(([, value]) => value !== undefined));
}
