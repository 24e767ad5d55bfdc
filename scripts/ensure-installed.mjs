// Runs before `npm ci` has: plain JavaScript, nothing but Node's own modules, silent when nothing is missing.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const projectDirectory = fileURLToPath(new URL('..', import.meta.url));
const oldestNode = [20, 19];

/** A fault that a person can mend: its message is one sentence that is shown without a stack trace. */
class SetupError extends Error {
  name = 'SetupError';
}

/** Prints one sentence on stderr and ends the process with exit code 1. */
function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}

/** The sentence for a Node.js that is too old, or undefined when it will do. `version` is like `20.19.0`. */
export function nodeFault(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [wantedMajor, wantedMinor] = oldestNode;
  if (major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)) return undefined;
  return `Node.js ${version} is too old: install Node.js ${oldestNode.join('.')} or newer (https://nodejs.org).`;
}

/**
 * Whether node_modules holds what the lock file asks for. `lock` and `installed` are the texts of package-lock.json and
 * node_modules/.package-lock.json. Contents are compared, not times: npm writes the two files within milliseconds of each
 * other in either order, and a checkout touches the first without a change.
 */
export function matchesLock(lock, installed) {
  try {
    const wanted = JSON.parse(lock).packages;
    const present = JSON.parse(installed).packages;
    return Object.entries(wanted).every(([path, entry]) => {
      if (path === '') return true;
      // Another platform's binary is in the lock file but never in the folder.
      if (present[path] === undefined) return entry.optional === true || entry.devOptional === true;
      return present[path].version === entry.version && present[path].integrity === entry.integrity;
    });
  } catch {
    return false;
  }
}

/**
 * How a missing redis-server can be had. `machine` says what there is: `{platform, isRoot, has}`, `has(command)` being
 * true for a command that works without a question. Answers `{kind: 'apt-get', prefix}`, `{kind: 'unpack'}`,
 * `{kind: 'brew'}`, or `{kind: 'impossible', sentence}`.
 */
export function redisInstallPlan(machine) {
  if (machine.platform === 'darwin' && machine.has('brew')) return { kind: 'brew' };
  if (machine.platform === 'linux' && machine.has('apt-get')) {
    if (machine.isRoot) return { kind: 'apt-get', prefix: [] };
    if (machine.has('sudo')) return { kind: 'apt-get', prefix: ['sudo', '-n'] };
    if (machine.has('dpkg')) return { kind: 'unpack' };
  }
  return { kind: 'impossible', sentence: redisMissing(machine.platform) };
}

function redisMissing(platform) {
  const how =
    platform === 'darwin'
      ? 'install Homebrew (https://brew.sh) and run `brew install redis`'
      : platform === 'win32'
        ? 'run this project under WSL'
        : "install your distribution's package `redis` (or `redis-server`, or `valkey`)";
  return `redis-server is not on this machine and can not be installed from here: ${how}, or set REDIS_URL to a Redis that runs.`;
}

/**
 * The redis-server of this machine, or the one unpacked under `dataDirectory`: `{command, environment}`, or undefined.
 * Valkey speaks the same protocol and does as well. `searchPath` is a PATH.
 */
export function findRedisServer(dataDirectory, searchPath = process.env.PATH ?? '') {
  for (const name of ['redis-server', 'valkey-server']) {
    const command = findCommand(name, searchPath);
    if (command !== undefined) return { command, environment: {} };
  }
  const unpacked = join(unpackDirectory(dataDirectory), 'usr', 'bin', 'redis-server');
  if (!isExecutable(unpacked)) return undefined;
  return { command: unpacked, environment: { LD_LIBRARY_PATH: libraryFolders(dataDirectory).join(delimiter) } };
}

/**
 * Installs what is missing and says so in one line each; silent when nothing is. Throws SetupError.
 * `needs.redis` is false where a Redis is given or none is wanted.
 */
function ensureInstalled(needs) {
  ensureDependencies();
  if (needs.redis && findRedisServer(needs.dataDirectory) === undefined) installRedis(needs.dataDirectory);
}

/** Reads the project's `.env`, if there is one, into the environment; what is set there already wins. */
function loadEnvironmentFile() {
  const path = join(projectDirectory, '.env');
  if (existsSync(path)) process.loadEnvFile(path);
}

/** DATA_DIR as an absolute path; `.data` in the project when it is not set. */
export function dataDirectory(environment = process.env) {
  return resolve(projectDirectory, environment.DATA_DIR || '.data');
}

/**
 * What every `npm run …` script does first: `.env`, then what is missing. A fault ends the process with one sentence.
 * `needsRedis` is false for scripts that start no Redis of their own; `readsEnvironmentFile` for tests, which must not find
 * a database that somebody works with.
 */
export function prepare({ needsRedis, readsEnvironmentFile = true }) {
  // Before anything that an older Node.js does not have.
  const fault = nodeFault(process.versions.node);
  if (fault !== undefined) fail(fault);
  if (readsEnvironmentFile) loadEnvironmentFile();
  try {
    ensureInstalled({ redis: needsRedis && !process.env.REDIS_URL, dataDirectory: dataDirectory() });
  } catch (error) {
    fail(error instanceof SetupError ? error.message : `Setting up failed: ${error.message}`);
  }
}

function ensureDependencies() {
  const lock = readOrEmpty(join(projectDirectory, 'package-lock.json'));
  const installed = readOrEmpty(join(projectDirectory, 'node_modules', '.package-lock.json'));
  if (matchesLock(lock, installed)) return;
  console.log('Installing the npm packages (npm ci)…');
  // --include=dev: with NODE_ENV=production npm would leave out tsx and with it everything that runs TypeScript here.
  const install = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  const npm = process.env.npm_execpath;
  const done = npm?.endsWith('.js')
    ? run(process.execPath, [npm, ...install], { cwd: projectDirectory })
    : run('npm', install, { cwd: projectDirectory, shell: process.platform === 'win32' });
  if (!done.ok) throw new SetupError(`The npm packages could not be installed (npm ci): ${done.reason}.`);
}

function installRedis(directory) {
  const plan = redisInstallPlan({
    platform: process.platform,
    isRoot: process.getuid?.() === 0,
    has: (command) => (command === 'sudo' ? run('sudo', ['-n', 'true']).ok : findCommand(command) !== undefined),
  });
  if (plan.kind === 'impossible') throw new SetupError(plan.sentence);
  if (plan.kind === 'brew') {
    console.log('Installing redis (brew)…');
    requireDone(run('brew', ['install', '--quiet', 'redis']), 'brew install redis');
  } else if (plan.kind === 'apt-get') {
    installWithApt(plan.prefix);
  } else {
    unpackRedis(directory);
  }
  if (findRedisServer(directory) === undefined) throw new SetupError(redisMissing(process.platform));
}

function installWithApt(prefix) {
  const [command, ...before] = [...prefix, 'apt-get'];
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const install = () => run(command, [...before, 'install', '-y', '--no-install-recommends', 'redis-server'], { env });
  console.log('Installing redis-server (apt-get)…');
  if (install().ok) return;
  // A fresh machine has no package lists, an old one has stale ones.
  console.log('Refreshing the package lists (apt-get update)…');
  run(command, [...before, 'update'], { env });
  requireDone(install(), 'apt-get install redis-server');
}

/**
 * Without root: the packages of the distribution, unpacked below the data folder and run with LD_LIBRARY_PATH. The package
 * lists are kept there too, because the system's own may be empty and can not be refreshed by an ordinary user.
 */
function unpackRedis(directory) {
  const target = unpackDirectory(directory);
  const draft = `${target}.unpacking`;
  const state = join(draft, 'apt');
  rmSync(draft, { recursive: true, force: true });
  for (const folder of ['lists/partial', 'archives/partial', 'debs'])
    mkdirSync(join(state, folder), { recursive: true });
  const settings = [`Dir::State::lists=${join(state, 'lists')}`, `Dir::Cache=${state}`, 'APT::Sandbox::User='];
  const options = settings.flatMap((setting) => ['-o', setting]);
  console.log(`Downloading redis-server (apt-get, unpacked under ${target})…`);
  // One package source that does not answer is no reason to give up: the download below decides.
  run('apt-get', [...options, 'update']);
  const depends = run('apt-cache', [...options, 'depends', '--important', 'redis-server', 'redis-tools']);
  requireDone(depends, 'apt-cache depends redis-server');
  const libraries = [...depends.output.matchAll(/^\s+Depends: ((?:lib|lua-)[\w.+-]+)$/gm)].map((match) => match[1]);
  const wanted = ['redis-server', 'redis-tools', ...libraries.filter((name) => !/^libc6$|^libsystemd/.test(name))];
  const debs = join(state, 'debs');
  requireDone(
    run('apt-get', [...options, 'download', ...new Set(wanted)], { cwd: debs }),
    'apt-get download redis-server',
  );
  for (const deb of readdirSync(debs)) requireDone(run('dpkg', ['-x', join(debs, deb), draft]), `dpkg -x ${deb}`);
  rmSync(state, { recursive: true, force: true });
  // Only what is complete gets the name under which it is looked for.
  rmSync(target, { recursive: true, force: true });
  renameSync(draft, target);
}

function unpackDirectory(directory) {
  return join(directory, 'tools', 'redis');
}

function libraryFolders(directory) {
  const libraries = ['usr/lib', 'lib']
    .map((folder) => join(unpackDirectory(directory), folder))
    .filter((path) => existsSync(path));
  const byArchitecture = libraries.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.includes('linux-gnu'))
      .map((name) => join(folder, name)),
  );
  return [...byArchitecture, ...libraries];
}

function findCommand(name, searchPath = process.env.PATH ?? '') {
  return searchPath
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, name))
    .find((path) => isExecutable(path));
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function readOrEmpty(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

function run(command, args, options = {}) {
  const done = spawnSync(command, args, { stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8', ...options });
  if (done.signal === 'SIGINT' || done.signal === 'SIGTERM') process.exit(130);
  const words = `${done.stderr ?? ''}\n${done.stdout ?? ''}`.split('\n').map((line) => line.trim());
  const complaint = words.find((line) => /^(?:E:|npm error \S)/.test(line) && !line.startsWith('npm error code'));
  const reason =
    done.error?.message ?? complaint ?? (words.findLast((line) => line !== '') || `exit code ${done.status}`);
  return { ok: done.status === 0, output: done.stdout ?? '', reason: reason.replace(/\.$/, '') };
}

function requireDone(done, what) {
  if (!done.ok) throw new SetupError(`${what} failed: ${done.reason} (or set REDIS_URL to a Redis that runs).`);
}
