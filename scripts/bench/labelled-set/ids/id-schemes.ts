import { AMERICAN_IDS } from './america.ts';
import { OTHER_IDS } from './elsewhere.ts';
import type { IdScheme } from './id-scheme.ts';
import { NORTHERN_IDS } from './north.ts';
import { SOUTHERN_AND_EASTERN_IDS } from './south-east.ts';
import { WESTERN_IDS } from './west.ts';

export const ID_SCHEMES: readonly IdScheme[] = [
  ...NORTHERN_IDS,
  ...WESTERN_IDS,
  ...SOUTHERN_AND_EASTERN_IDS,
  ...AMERICAN_IDS,
  ...OTHER_IDS,
];

export function schemeOf(name: string): IdScheme {
  const scheme = ID_SCHEMES.find((candidate) => candidate.scheme === name);
  if (!scheme) throw new Error(`No scheme is called ${name}.`);
  return scheme;
}
