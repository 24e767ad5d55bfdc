import { readdirSync } from 'node:fs';
import { extname } from 'node:path';
import type { Country, NationalId } from './national-id.ts';

/**
 * If two schemes accept a value on equal evidence, the country that is earlier here names the
 * finding. Other countries follow in the order of their files.
 */
const PRECEDENCE =
  'FI SE NO DK IS EE LT LV GB IE FR DE AT CH BE NL LU IT ES PT GR PL CZ SK RO BG HR HU SI RS UA RU ' +
  'US CA MX BR AR UY CL PE CO EC DO CN TW HK SG MY TH KR JP IN PK ID VN LK IR IL TR KZ AE SA EG ZA NG AU NZ';

/** Every country: each file of `countries/` exports one as `country`. */
export const COUNTRIES: readonly Country[] = await readCountries(new URL('countries/', import.meta.url));

/** The national ids of every country. */
export const NATIONAL_IDS: readonly NationalId[] = COUNTRIES.flatMap(({ code, schemes }) =>
  schemes.map((scheme) => ({
    context: 'always needed',
    ...scheme,
    type: 'national_id',
    country: code,
    keywords: [scheme.labels, scheme.ambiguousLabels ?? {}].flatMap((labels) => Object.values(labels).flat()),
  })),
);

async function readCountries(folder: URL): Promise<Country[]> {
  // The files are TypeScript or compiled, like this one.
  const files = readdirSync(folder).filter((file) => extname(file) === extname(import.meta.url));
  const modules = await Promise.all(
    files.sort().map((file) => import(new URL(file, folder).href) as Promise<{ country: Country }>),
  );
  const ranks = new Map(PRECEDENCE.split(' ').map((code, rank) => [code, rank]));
  const rankOf = ({ code }: Country) => ranks.get(code) ?? ranks.size;
  return modules.map(({ country }) => country).sort((a, b) => rankOf(a) - rankOf(b));
}
