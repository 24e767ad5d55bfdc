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

export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const objectOf = (value: unknown): JsonObject | undefined => (isObject(value) ? value : undefined);

/** Null is absent, as senders mean it. */
export const isPresent = (value: unknown): boolean => value !== undefined && value !== null;
