/**
 * Parses JSON text from outside. @returns undefined for text that is not JSON; JSON has no value of
 * that name.
 */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
