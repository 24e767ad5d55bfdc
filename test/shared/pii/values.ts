import type { NationalId } from '../../../shared/pii/national-ids.ts';
import { createScanner } from '../../../shared/pii/scan-personal-data.ts';
import nationalIdValues from './national-id-values.json' with { type: 'json' };

/** Numbers of each scheme: valid ones, and ones in a form of the scheme that its check rejects. */
export const NATIONAL_ID_VALUES: Readonly<Record<string, { valid: readonly string[]; invalid: readonly string[] }>> =
  nationalIdValues;

export const scan = createScanner();

/** The findings of a text as `scheme:text`. */
export function found(text: string, scanner = scan): string[] {
  return scanner(text).map(({ scheme, start, end }) => `${scheme}:${text.slice(start, end)}`);
}

/** The value of a number, without its separators. */
export function valueOf(text: string): Uint8Array {
  const characters = text.toUpperCase().replaceAll(/[^\dA-Z]/g, '');
  return Uint8Array.from(characters, (character) => Number.parseInt(character, 36));
}

export function passesCheck({ check }: Pick<NationalId, 'check'>, text: string): boolean {
  const value = valueOf(text);
  // The scanner has one array for all values. After their end, it has characters of earlier ones.
  const used = new Uint8Array(64).fill(7);
  used.set(value);
  return check(used, value.length);
}

/** Whether the number is written in a form of the scheme. */
export function hasForm({ shapes }: Pick<NationalId, 'shapes'>, text: string): boolean {
  const written = text.replaceAll(/[)\]]/g, '');
  return Object.values(shapes)
    .flat()
    .some((form) => patternOf(form).test(written));
}

const CLASSES: Readonly<Record<string, string>> = { '': '\\d', a: '[A-Z]', x: '[\\dA-Z]' };

function patternOf(form: string): RegExp {
  const pattern = form.replaceAll(/([-./+ ([]?)(\d+)([xa]?)/g, (_, separator: string, length: string, kind: string) => {
    const escaped = separator === '' ? '' : `\\${separator}`;
    return `${escaped}${CLASSES[kind]}{${length}}`;
  });
  return new RegExp(`^${pattern}$`);
}
