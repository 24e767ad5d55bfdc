import { readFileSync } from 'node:fs';
import { expect } from 'chai';

interface LockedPackage {
  link?: boolean;
  integrity?: string;
}

const lock = JSON.parse(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8')) as {
  packages: Record<string, LockedPackage>;
};

describe('package-lock.json', () => {
  it('has the hash of every package that npm downloads', () => {
    const downloaded = Object.entries(lock.packages).filter(
      ([path, { link }]) => path.includes('node_modules/') && !link,
    );
    expect(downloaded).not.to.have.length(0);
    for (const [path, { integrity }] of downloaded) expect(integrity, path).to.match(/^sha512-/);
  });
});
