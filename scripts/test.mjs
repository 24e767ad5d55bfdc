// `npm test`: installs what is missing, then runs types, lint, format and, concurrently, all tests,
// compiled by `compile-tests.mjs`.
// `npm run check` (`--check`): the same with the tests of pure code only (.mocharc.check.mjs).
// `npm run verify` (`--verify`): the same with the long forms of tests and, after the tests, ten
// minutes of `npm run torture`, and its backlog of 6,000 batches.
// `npm run coverage` (`--coverage`): the same with the coverage of all tests, which takes twice the
// time. A failure does not stop the other parts. The last line counts the failures. Other arguments
// are passed to mocha (`npm test -- --grep supervisor`).
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { prepare } from './ensure-installed.mjs';

const modes = ['--check', '--verify', '--coverage'];
const [first, ...rest] = process.argv.slice(2);
const mode = modes.find((name) => name === first);
const given = mode ? rest : process.argv.slice(2);
const isCheck = mode === '--check';
if (mode === '--verify') process.env.LONG_TESTS = '1';
// Tests of the local stack start a Redis of their own.
prepare({ needsRedis: isCheck ? false : 'always', readsEnvironmentFile: false });
const { compileTests } = await import('./compile-tests.mjs');

const projectDirectory = fileURLToPath(new URL('..', import.meta.url));
process.chdir(projectDirectory);
const bin = (path) => fileURLToPath(new URL(`../node_modules/${path}`, import.meta.url));

// Each of several checkers repeats a part of the work, on cores that the other checks use.
const tsc = [bin('typescript/bin/tsc'), '--checkers', '1'];
const checks = [
  { name: 'types', args: tsc },
  { name: 'types of the page', args: [...tsc, '-p', 'page'] },
  { name: 'lint', args: [bin('oxlint/bin/oxlint'), '--type-aware', '--deny-warnings'] },
  { name: 'imports of features', args: [fileURLToPath(new URL('check-imports.mjs', import.meta.url))] },
  { name: 'lines of rooms', args: [fileURLToPath(new URL('check-lines.mjs', import.meta.url))] },
  { name: 'format', args: [bin('@biomejs/biome/bin/biome'), 'check', '.'] },
];
// The checkers of types are Go programs. Rare garbage collections save a fifth of their processor
// time for an eighth more memory.
const rareCollections = { GOGC: '400' };
const mocha = [bin('mocha/bin/mocha.js'), ...(process.stdout.isTTY ? ['--color'] : [])];
// Coverage is that of the sources. Some files are not worth the compilation of all.
const isCompiled = mode !== '--coverage' && !given.some((argument) => existsSync(argument));
const config = isCompiled ? '.mocharc.compiled.mjs' : isCheck ? '.mocharc.check.mjs' : '.mocharc.mjs';
const tests = [
  ...(mode === '--coverage' ? [bin('c8/bin/c8.js'), process.execPath] : []),
  ...mocha,
  '--config',
  config,
  ...given,
];

let failed = 0;
// The tests run concurrently with the checks, and their output follows that of the checks.
let shown = '';
let show = (text) => {
  shown += text;
};
const testing = runTests((text) => show(text));
const checked = await Promise.all(
  checks.map(async (check) => ({ ...check, ...(await run(check.args, undefined, rareCollections)) })),
);
for (const { name, code, output, seconds } of checked) {
  console.log(code === 0 ? `${name}: passed (${seconds} s)` : `${name}: failed\n${output}`);
  if (code !== 0) failed += 1;
}
show = (text) => process.stdout.write(text);
show(shown);

const { code, output, seconds } = await testing;
console.log(`tests: ${seconds} s`);
if (mode === '--verify') {
  for (const args of [
    ['--minutes', '10'],
    ['--backlog', '6000'],
  ]) {
    const tortured = await run(['--import', 'tsx', 'scripts/torture/main.ts', ...args], show);
    console.log(`torture ${args.join(' ')}: ${tortured.seconds} s`);
    if (tortured.code !== 0) failed += 1;
  }
}
const passed = countIn(output, 'passing');
const failures = countIn(output, 'failing') ?? 0;
if (passed === undefined) console.log('The test run ended before all tests had run.');
failed += failures === 0 && (code !== 0 || passed === undefined) ? 1 : failures;
console.log(`\n${passed ?? 0} passed, ${failed} failed`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);

/** Runs mocha on the compiled tests, or on their sources. */
async function runTests(show) {
  if (!isCompiled) return run(tests, show);
  let folder;
  try {
    const { spec, require = [] } = (await import(isCheck ? '../.mocharc.check.mjs' : '../.mocharc.mjs')).default;
    folder = await compileTests([...spec, ...require]);
  } catch (error) {
    show(`The tests could not be compiled: ${error.message}\n`);
    return { code: 1, output: '', seconds: 0 };
  }
  Object.assign(process.env, { COMPILED_TESTS: folder, PURE_TESTS: isCheck ? '1' : '' });
  try {
    return await run(tests, show);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs a Node.js program and collects its output; `show` receives every chunk as it arrives. */
function run(args, show = () => {}, environment = {}) {
  const started = performance.now();
  return new Promise((resolve) => {
    const env = { ...process.env, ...environment };
    const child = spawn(process.execPath, args, { cwd: projectDirectory, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += text;
        show(text);
      });
    }
    child.once('error', (error) => resolve({ code: 1, output: error.message }));
    child.once('close', (code) => {
      resolve({ code: code ?? 1, output, seconds: Math.round((performance.now() - started) / 1000) });
    });
  });
}

/**
 * The number before the last `passing` or `failing` at the beginning of a line; undefined without
 * such a line.
 */
function countIn(output, word) {
  const plain = stripVTControlCharacters(output);
  const count = [...plain.matchAll(new RegExp(`^ {2}(\\d+) ${word}\\b`, 'gm'))].at(-1)?.[1];
  return count === undefined ? undefined : Number(count);
}
