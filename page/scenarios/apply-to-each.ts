/** Scenarios by id, with their names. */
export type Named = ReadonlyMap<string, string>;

export interface Outcome {
  readonly done: readonly string[];
  /** Why each of the others has stayed as it was. */
  readonly failed: readonly { readonly id: string; readonly name: string; readonly error: unknown }[];
}

/**
 * Does the same to each scenario, one after the other. An error does not end it.
 * @param report receives the number of scenarios so far.
 */
export async function applyToEach(
  scenarios: Named,
  work: (id: string) => Promise<unknown>,
  report: (count: number) => void,
): Promise<Outcome> {
  const done: string[] = [];
  const failed: Outcome['failed'][number][] = [];
  for (const [id, name] of scenarios) {
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
