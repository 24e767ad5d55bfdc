import { setFlagsFromString } from 'node:v8';

/** Growth in percent of the memory that survived the last collection. */
const growthPercent = 100;

/**
 * Makes V8 collect old objects when they have doubled. On a machine with much memory, V8 waits
 * until they have quadrupled, so that a process under load needs 100 MiB more, mostly for the
 * bodies of past requests, and saves little CPU time.
 */
export function limitHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${growthPercent}`);
}
