import { readFileSync } from 'node:fs';
import { expect } from 'chai';

interface LockedPackage {
  link?: boolean;
  integrity?: string;
  license?: string;
  hasInstallScript?: boolean;
}

const readJson = (path: string): unknown => JSON.parse(readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8'));
const lock = readJson('package-lock.json') as { packages: Record<string, LockedPackage> };
const { allowScripts } = readJson('package.json') as { allowScripts: Record<string, boolean> };

/** None of them makes conditions for the code of the service. */
const acceptedLicences = `0BSD, Apache-2.0, BSD-2-Clause, BSD-3-Clause, BlueOak-1.0.0, CC0-1.0, ISC, MIT, Unlicense,
  MIT OR Apache-2.0, (MIT OR CC0-1.0), (MIT AND Zlib), MIT AND OFL-1.1, MPL-2.0, OFL-1.1, PSF-2.0, Python-2.0`.split(
  /,\s+/,
);

describe('package-lock.json', () => {
  it('has the hash of every package that npm downloads', () => {
    const downloaded = Object.entries(lock.packages).filter(
      ([path, { link }]) => path.includes('node_modules/') && !link,
    );
    expect(downloaded).not.to.have.length(0);
    for (const [path, { integrity }] of downloaded) expect(integrity, path).to.match(/^sha512-/);
  });

  it('names every package with an install script in `allowScripts` of package.json, and no other one', () => {
    const withScript = Object.entries(lock.packages).filter(([, { hasInstallScript }]) => hasInstallScript);
    const names = withScript.map(([path]) => path.split('node_modules/').at(-1));
    expect([...new Set(names)]).to.have.members(Object.keys(allowScripts));
  });

  it('has only packages with an accepted licence', () => {
    const packages = Object.entries(lock.packages).filter(
      ([path, { link }]) => path.includes('node_modules/') && !link,
    );
    for (const [path, { license }] of packages) expect(license, path).to.be.oneOf(acceptedLicences);
  });
});
