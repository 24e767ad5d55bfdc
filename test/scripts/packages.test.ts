import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';

interface Manifest {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
}

const root = new URL('../../', import.meta.url).pathname;
const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;

/** Their file names, keys in Redis or descriptions are read, which a patch release may change. */
const readInside = [
  '@bull-board/api',
  '@bull-board/koa',
  '@bull-board/ui',
  '@fontsource-variable/noto-emoji',
  '@fontsource-variable/noto-sans-jp',
  '@fontsource-variable/noto-sans-kr',
  '@fontsource-variable/noto-sans-sc',
  '@fontsource/noto-sans',
  '@fontsource/noto-sans-arabic',
  '@fontsource/noto-sans-hebrew',
  '@fontsource/noto-sans-thai',
  '@sparticuz/chromium',
  'bullmq',
  'gpt-tokenizer',
  'joi',
  'swagger-ui-dist',
];

/**
 * The code does not name them whole: a peer of `@bull-board/koa`, the back end of
 * `oxlint --type-aware`, a transport that docs/log-shippers.md configures, and fonts.
 */
const usedByOthers = [
  '@bull-board/ui',
  'oxlint-tsgolint',
  'pino-http-transport',
  ...readInside.filter((name) => name.includes('fonts/')),
];

/** The sources that can name a package. */
function readSources(): string {
  return ['api', 'workers', 'shared', 'page', 'scripts', 'test', 'packages', '.mocharc.mjs', 'tsconfig.json']
    .flatMap((entry) => (entry.includes('.') ? [entry] : listFiles(entry)))
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .join('\n');
}

function listFiles(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true })
    .map((path) => join(folder, String(path)))
    .filter((path) => /\.(?:m?[jt]s|tsx)$/.test(path) && !/node_modules|packages\.test/.test(path));
}

describe('package.json', () => {
  it('lists only packages that the code uses', () => {
    const sources = readSources();
    const isUsed = (name: string) => new RegExp(`['\`]${name}['/]`).test(sources) || usedByOthers.includes(name);
    const names = [...Object.keys(dependencies), ...Object.keys(devDependencies)];
    const unused = names.filter((name) => !isUsed(name) && !isTypesOfAnother(name, names));
    expect(unused).to.deep.equal([]);
  });

  it('pins the packages whose internals are read', () => {
    for (const name of readInside) expect(dependencies[name], name).to.match(/^\d+\.\d+\.\d+$/);
  });
});

function isTypesOfAnother(name: string, names: readonly string[]): boolean {
  const [scope, rest = ''] = name.split('/');
  if (scope !== '@types') return false;
  const typed = rest.includes('__') ? `@${rest.replace('__', '/')}` : rest;
  return typed === 'node' || names.includes(typed);
}
