/** Parses text from outside; undefined, which no JSON text means, if it is not JSON. */
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
