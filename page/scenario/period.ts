import type { Metrics } from '../client/responses.ts';

/** The length of a period in ms; 0 without entries. */
export const spanOf = ({ from, to }: Metrics['period']): number =>
  from !== null && to !== null ? Date.parse(to) - Date.parse(from) : 0;
