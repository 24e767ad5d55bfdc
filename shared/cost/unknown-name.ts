// The errors of fields that name something the price book does not have.
import { alternatives, quoted } from '../quoted.ts';
import type { KnownNames } from './price-book.ts';

/** Characters of a name that are compared; names of the price book are shorter. */
const maxCompared = 60;

/** @param version the version of the price book that must have it; absent: any. */
export const unknownRegion = (code: string, names: Pick<KnownNames, 'regionCodes'>, version?: string): string =>
  unknownName(code, 'region', nearest(code, names.regionCodes, 1), version);

/** @param version like that of `unknownRegion`. */
export const unknownModel = (id: string, names: Pick<KnownNames, 'modelIds'>, version?: string): string =>
  unknownName(id, 'model', nearest(id, names.modelIds, 3), version);

export const unknownVersion = (version: string): string =>
  `${quoted(version)} is not a version of the price book; GET /api/v1/price-books lists them`;

function unknownName(sent: string, what: 'region' | 'model', names: readonly string[], version?: string): string {
  const book = version === undefined ? '' : ` in version ${version} of the price book`;
  const address = version === undefined ? `${what}s` : `price-books/${version}`;
  const question = names.length === 0 ? '' : ` did you mean ${alternatives(names)}?`;
  return `${quoted(sent)} is not a ${what}${book};${question} GET /api/v1/${address} lists them`;
}

/** The names that have at least half of the pairs of letters of a text, the nearest first. */
function nearest(text: string, names: Iterable<string>, count: number): string[] {
  const sent = lettersOf(text.slice(0, maxCompared));
  const pairs = Array.from(sent.slice(1), (character, index) => sent.charAt(index) + character);
  return [...names]
    .map((name) => {
      const letters = lettersOf(name);
      return { name, length: letters.length, found: pairs.filter((pair) => letters.includes(pair)).length };
    })
    .filter(({ found }) => found > 0 && found >= pairs.length / 2)
    .sort((one, other) => other.found - one.found || one.length - other.length || (one.name < other.name ? -1 : 1))
    .slice(0, count)
    .map(({ name }) => name);
}

const lettersOf = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
