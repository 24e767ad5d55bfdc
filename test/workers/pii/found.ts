import { createScanner } from '../../../workers/pii/scan-personal-data.ts';

export const scan = createScanner();

/** The findings of a text as `scheme:text`. */
export function found(text: string): string[] {
  return scan(text).map(({ scheme, start, end }) => `${scheme}:${text.slice(start, end)}`);
}
