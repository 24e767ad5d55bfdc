import type { Random } from '../../generated-numbers.ts';

/** How one kind of national id is generated, written and named. */
export interface IdScheme {
  /** As in `GET /api/v1/pii-kinds`. */
  readonly scheme: string;
  readonly country: string;
  /** A new number without separators. */
  readonly make: (random: Random) => string;
  /**
   * Written forms that are personal data without a label, and forms that need one. `#` is the next
   * character of the number, `_` leaves one out, `*` is the number as it is.
   */
  readonly alone?: readonly string[];
  readonly labelled?: readonly string[];
  /** Labels in the language of the country, inflected and abbreviated as people write them. */
  readonly labels: readonly string[];
  /** Names of fields, as words: `nr pesel` becomes `nr_pesel`, `nrPesel` and so on. */
  readonly keys: readonly string[];
  /**
   * A number whose last digit is changed is not personal data under these labels: the scheme has a
   * check digit, and no scheme without one shares a label.
   */
  readonly isCheckable?: boolean;
}

export function writeAs(form: string, number: string): string {
  if (form === '*') return number;
  let next = 0;
  return form.replace(/[#_]/g, (sign) => {
    const character = number.charAt(next++);
    return sign === '#' ? character : '';
  });
}

/** Tries numbers until one has a check digit. Some bodies have none, and are not assigned. */
export function retry(random: Random, make: (random: Random) => string | undefined): string {
  for (;;) {
    const number = make(random);
    if (number !== undefined) return number;
  }
}

export function between(random: Random, from: number, to: number, width = 0): string {
  return String(from + random.below(to - from + 1)).padStart(width, '0');
}

interface Birth {
  readonly year: number;
  /** Two digits each. */
  readonly yy: string;
  readonly mm: string;
  readonly dd: string;
}

/** A date of birth from 1955 to 1999, so that its six digits are not a date of recent years. */
export function birth(random: Random, from = 1955, to = 1999): Birth {
  const year = Number(between(random, from, to));
  return {
    year,
    yy: String(year % 100).padStart(2, '0'),
    mm: between(random, 1, 12, 2),
    dd: between(random, 1, 28, 2),
  };
}

export const letter = (random: Random, alphabet: string): string => alphabet.charAt(random.below(alphabet.length));

export const consonants = (random: Random, count: number): string =>
  Array.from({ length: count }, () => letter(random, 'BCDFGLMNPRSTV')).join('');
