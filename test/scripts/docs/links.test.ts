import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const project = fileURLToPath(new URL('../../../', import.meta.url));
const markdownIn = (folder: string, recursive: boolean) =>
  readdirSync(join(project, folder), { encoding: 'utf8', recursive })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name));
const documents = [...markdownIn('.', false), ...markdownIn('docs', true)];

describe('the documents', () => {
  it('documents link to files and headings that exist', () => {
    const broken = documents.flatMap((path) =>
      [...proseOf(path).matchAll(/\]\(([^)\s]+)\)/g)]
        .map(([, target = '']) => target)
        .filter((target) => !/^https?:/.test(target) && !isFound(path, target))
        .map((target) => `${path}: ${target}`),
    );
    expect(broken).to.deep.equal([]);
  });

  it('documents name files and folders of the project that exist', () => {
    const folders = 'api|workers|shared|scripts|test|page|packages|docs';
    const missing = documents.flatMap((path) =>
      [...proseOf(path).matchAll(new RegExp(`\`((?:${folders})/[\\w./-]*)\``, 'g'))]
        .map(([, name = '']) => name)
        .filter((name) => !existsSync(join(project, name)))
        .map((name) => `${path}: ${name}`),
    );
    expect(missing).to.deep.equal([]);
  });
});

function isFound(path: string, target: string): boolean {
  const [file = '', heading] = target.split('#');
  const found = file === '' ? path : join(dirname(path), file);
  if (!existsSync(join(project, found))) return false;
  return heading === undefined || anchorsOf(found).includes(heading);
}

/** The anchors that forges give to the headings of a document. */
function anchorsOf(path: string): string[] {
  return [...proseOf(path).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** A document without its blocks of code. */
function proseOf(path: string): string {
  return readFileSync(join(project, path), 'utf8').replace(/^```.*?^```$/gms, '');
}
