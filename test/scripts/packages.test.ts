import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';

interface Manifest {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  allowScripts: Record<string, boolean>;
}

interface LockedPackage {
  link?: boolean;
  dev?: boolean;
  integrity?: string;
  license?: string;
  hasInstallScript?: boolean;
}

const root = new URL('../../', import.meta.url).pathname;
const { dependencies, devDependencies, allowScripts } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
) as Manifest;
const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, LockedPackage>;
};
const downloaded = Object.entries(packages).filter(([path, { link }]) => path.includes('node_modules/') && !link);

/** Their file names, keys in Redis or descriptions are read, which a patch release may change. */
const readInside = /^@bull-board\/|^@fontsource|^(?:@sparticuz\/chromium|bullmq|gpt-tokenizer|joi|swagger-ui-dist)$/;

/**
 * The code does not name them whole: a peer of `@bull-board/koa`, the back end of
 * `oxlint --type-aware`, a transport that docs/log-shippers.md configures, fonts, and types.
 */
const usedByOthers = /^(?:@bull-board\/ui|oxlint-tsgolint|pino-http-transport|@types\/.+|@fontsource.+)$/;

/** None of them makes conditions for the code of the service. */
const acceptedLicences = `0BSD, Apache-2.0, BSD-2-Clause, BSD-3-Clause, BlueOak-1.0.0, CC0-1.0, ISC, MIT, Unlicense,
  MIT OR Apache-2.0, (MIT OR CC0-1.0), (MIT AND Zlib), MIT AND OFL-1.1, MPL-2.0, OFL-1.1, PSF-2.0, Python-2.0`.split(
  /,\s+/,
);

function listFiles(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true })
    .map((path) => join(folder, String(path)))
    .filter((path) => /\.(?:m?[jt]s|tsx)$/.test(path) && !/node_modules|packages\.test/.test(path));
}

describe('package.json', () => {
  it('lists only packages that the code uses', () => {
    const folders = ['api', 'workers', 'shared', 'page', 'scripts', 'test', 'packages'];
    const files = ['.mocharc.mjs', 'tsconfig.json', ...folders.flatMap(listFiles)];
    const sources = files.map((file) => readFileSync(join(root, file), 'utf8')).join('\n');
    const unused = Object.keys({ ...dependencies, ...devDependencies }).filter(
      (name) => !usedByOthers.test(name) && !new RegExp(`['\`]${name}['/]`).test(sources),
    );
    expect(unused).to.deep.equal([]);
  });

  it('pins the packages whose internals are read', () => {
    const pinned = Object.entries(dependencies).filter(([name]) => readInside.test(name));
    expect(pinned).to.have.length(16);
    for (const [name, version] of pinned) expect(version, name).to.match(/^\d+\.\d+\.\d+$/);
  });
});

describe('package-lock.json', () => {
  it('has the hash and an accepted licence of every package that npm downloads', () => {
    expect(downloaded).to.have.length.above(100);
    for (const [path, { integrity, license }] of downloaded) {
      expect(integrity, path).to.match(/^sha512-/);
      expect(license, path).to.be.oneOf(acceptedLicences);
    }
  });

  it('names every package with an install script in `allowScripts` of package.json, and no other one', () => {
    const names = downloaded.flatMap(([path, { hasInstallScript }]) =>
      hasInstallScript ? [path.split('node_modules/').at(-1)] : [],
    );
    expect([...new Set(names)]).to.have.members(Object.keys(allowScripts));
  });
});
