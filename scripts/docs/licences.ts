// The licences of the packages that package-lock.json names.
import { readFileSync } from 'node:fs';
import { tableOf } from './markdown.ts';

interface LockedPackage {
  link?: boolean;
  license?: string;
  /** True if only development needs it, which the image of the service is without. */
  dev?: boolean;
}

/** Licences whose packages are counted, and not named. */
export const permissiveLicences: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT OR Apache-2.0',
  '(MIT OR CC0-1.0)',
  'Unlicense',
]);

/** The number of packages by licence, and the names of those whose licence is not permissive. */
export function renderLicences(): string {
  const path = new URL('../../package-lock.json', import.meta.url);
  const { packages } = JSON.parse(readFileSync(path, 'utf8')) as { packages: Record<string, LockedPackage> };
  const byLicence = new Map<string, { production: Set<string>; development: Set<string> }>();
  for (const [place, { link, dev, license = 'none' }] of Object.entries(packages)) {
    const [, name] = /.*node_modules\/(.+)/.exec(place) ?? [];
    if (name === undefined || link) continue;
    const names = byLicence.get(license) ?? { production: new Set(), development: new Set() };
    byLicence.set(license, names);
    names[dev ? 'development' : 'production'].add(name);
  }
  const rows = [...byLicence].sort(([one], [other]) => (one < other ? -1 : 1));
  return tableOf(
    ['Licence', 'Production', 'Development only', 'Packages'],
    rows.map(([licence, { production, development }]) => [
      licence,
      String(production.size),
      String(development.size),
      permissiveLicences.has(licence) ? '' : [...production, ...development].map((name) => `\`${name}\``).join(', '),
    ]),
  );
}
