import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import packageJson from '../../../package.json' with { type: 'json' };

const project = fileURLToPath(new URL('../../../', import.meta.url));
const text = readFileSync(join(project, 'docs/guarantees.md'), 'utf8');
const rows = [...text.matchAll(/^\| Promise .*\n.*\n((?:\|.*\n)+)/gm)].flatMap(([, lines = '']) =>
  [...lines.matchAll(/^\| (.+?) +\| (.+?) +\|$/gm)].map(([, promise = '', evidence = '']) => ({ promise, evidence })),
);

const testFiles = ['test', 'packages'].flatMap((folder) =>
  readdirSync(join(project, folder), { encoding: 'utf8', recursive: true })
    .map((path) => join(folder, path))
    .filter((path) => path.endsWith('.test.ts') && !path.includes('node_modules')),
);

const hasScript = (command: string) => {
  const [, name = ''] = /^npm (?:run )?(\S+)/.exec(command) ?? [];
  return name in packageJson.scripts;
};

/** Whether a name without a folder leads to one test, and to one in each folder that is named. */
function hasTest(name: string, folders: readonly string[]): boolean {
  const found = testFiles.filter((path) => path.endsWith(`/${name}.test.ts`));
  if (folders.length > 0) return folders.every((folder) => found.some((path) => path.startsWith(`${folder}/`)));
  return found.length === 1 || found.includes(`test/flows/${name}.test.ts`);
}

/** The names of a row that lead nowhere. */
function findUnknown(evidence: string): string[] {
  const unknown: string[] = [];
  for (const part of evidence.split(/[,;]/)) {
    const names = [...part.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
    const folders = names.filter((name) => /^(?:test|packages)\//.test(name));
    unknown.push(
      ...folders.filter((folder) => !existsSync(join(project, folder))),
      ...names
        .filter((name) => !folders.includes(name))
        .filter((name) => !(name.startsWith('npm ') ? hasScript(name) : hasTest(name, folders))),
    );
  }
  return unknown;
}

describe('docs/guarantees.md', () => {
  it('names tests and commands that exist, for each promise', () => {
    expect(rows).to.have.length.above(100);
    for (const { promise, evidence } of rows) {
      expect(evidence, promise).to.contain('`');
      expect(findUnknown(evidence), promise).to.deep.equal([]);
    }
  });

  it('has commands that exist outside of its tables, too', () => {
    const commands = [...text.matchAll(/`(npm [^`]+)`/g)].map(([, command = '']) => command.replaceAll('\n', ' '));
    expect(commands).to.include('npm run torture').and.include('npm test');
    expect(commands.filter((command) => command !== 'npm audit' && !hasScript(command))).to.deep.equal([]);
  });

  it('promises nothing twice', () => {
    const promises = rows.map(({ promise }) => promise);
    expect(promises.filter((promise, index) => promises.indexOf(promise) !== index)).to.deep.equal([]);
  });

  it('does not pass with a name that leads nowhere, or to several tests', () => {
    const known = '`npm run torture`, `last-admin`, `envelopes`, `slices` in `packages/document-store/test`';
    expect(findUnknown(known)).to.deep.equal([]);
    for (const name of ['no-such-test', 'npm run nothing', 'test/nowhere', 'idempotency-key']) {
      expect(findUnknown(`${known}, \`${name}\``)).to.deep.equal([name]);
    }
    expect(findUnknown('`usage` in `test/proof`')).to.deep.equal([]);
    expect(findUnknown('`envelopes` in `test/proof`')).to.deep.equal(['envelopes']);
  });
});
