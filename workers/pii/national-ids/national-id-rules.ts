import { NATIONAL_ID_KINDS, type NationalIdScheme } from '../../../shared/pii/pii-kinds.ts';
import { AMERICAS_RULES } from './americas.ts';
import { ASIA_PACIFIC_AFRICA_RULES } from './asia-pacific-africa.ts';
import { CENTRAL_EUROPE_RULES } from './central-europe.ts';
import type { NationalIdRule } from './national-id-rule.ts';
import { NORTHERN_EUROPE_RULES } from './northern-europe.ts';
import { WESTERN_EUROPE_RULES } from './western-europe.ts';

/** All rules. If two rules accept a value on equal evidence, the earlier rule names the scheme. */
export const NATIONAL_ID_RULES: readonly NationalIdRule[] = [
  ...NORTHERN_EUROPE_RULES,
  ...WESTERN_EUROPE_RULES,
  ...CENTRAL_EUROPE_RULES,
  ...AMERICAS_RULES,
  ...ASIA_PACIFIC_AFRICA_RULES,
];

/** The country of each scheme. */
export const COUNTRY_OF_SCHEME: ReadonlyMap<NationalIdScheme, string> = new Map(
  NATIONAL_ID_KINDS.map((kind) => [kind.scheme, kind.country]),
);
