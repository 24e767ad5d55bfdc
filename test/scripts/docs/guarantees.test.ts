import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import packageJson from '../../../package.json' with { type: 'json' };

const project = fileURLToPath(new URL('../../../', import.meta.url));
const text = readFileSync(join(project, 'docs/guarantees.md'), 'utf8');
const rows = [...text.matchAll(/^\| (?!Promise |---)(.+) \| (.+) \|$/gm)].map(([, promise = '', home = '']) => ({
  promise,
  home: home.slice(1, -1),
}));

const testFiles = ['test', 'packages'].flatMap((folder) =>
  readdirSync(join(project, folder), { encoding: 'utf8', recursive: true })
    .map((path) => join(folder, path))
    .filter((path) => path.endsWith('.test.ts') && !path.includes('node_modules')),
);

/** Whether a home leads to one test, or to a command. */
function isFound(home: string): boolean {
  const command = /^npm (?:run )?(\S+)$/.exec(home)?.[1];
  if (command !== undefined) return command in packageJson.scripts;
  const found = testFiles.filter((path) => path.endsWith(`/${home}.test.ts`));
  return found.length === 1 || found.includes(`test/flows/${home}.test.ts`);
}

describe('docs/guarantees.md', () => {
  it('names one home that exists for each promise, and promises nothing twice', () => {
    expect(rows).to.have.length.above(80);
    expect(rows.filter(({ home }) => !isFound(home))).to.deep.equal([]);
    expect(new Set(rows.map(({ promise }) => promise)).size).to.equal(rows.length);
  });
});
