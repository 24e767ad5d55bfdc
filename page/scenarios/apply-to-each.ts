/** Scenarios by id, with their names. */
export type Named = ReadonlyMap<string, string>;

export interface Outcome {
  readonly done: readonly string[];
  /** Why each of these has stayed as it was. */
  readonly failed: readonly { readonly id: string; readonly name: string; readonly error: unknown }[];
}

/**
 * Does the same to each scenario, one after the other. An error does not end it. The signal ends it
 * before the next scenario.
 * @param report receives the number of scenarios so far.
 */
export async function applyToEach(
  scenarios: Named,
  work: (id: string) => Promise<unknown>,
  report: (count: number) => void,
  signal: AbortSignal,
): Promise<Outcome> {
  const done: string[] = [];
  const failed: Outcome['failed'][number][] = [];
  for (const [id, name] of scenarios) {
    if (signal.aborted) break;
    try {
      await work(id);
      done.push(id);
    } catch (error) {
      failed.push({ id, name, error });
    }
    report(done.length + failed.length);
  }
  return { done, failed };
}
