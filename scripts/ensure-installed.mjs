// Runs before the npm packages are installed, so it is JavaScript and imports only modules of
// Node.js. If nothing is missing, it prints nothing.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const projectDirectory = fileURLToPath(new URL('..', import.meta.url));
const oldestNode = [20, 19];

/** An error that the user can fix. The message is one sentence, printed without a stack trace. */
class SetupError extends Error {
  name = 'SetupError';
}

/** Prints a sentence to stderr and exits with 1. */
function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}

/**
 * The error message if Node.js is too old, otherwise undefined. `version` has the form `20.19.0`.
 */
export function nodeVersionError(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [wantedMajor, wantedMinor] = oldestNode;
  if (major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)) return undefined;
  return `Node.js ${version} is too old: install Node.js ${oldestNode.join('.')} or later (https://nodejs.org).`;
}

/**
 * Whether node_modules matches the lock file. `lock` and `installed` are the contents of
 * package-lock.json and node_modules/.package-lock.json. Their modification times are not
 * comparable, because npm writes the two files in any order, and a checkout changes the time of the
 * first file only.
 */
export function matchesLock(lock, installed) {
  try {
    const wanted = JSON.parse(lock).packages;
    const present = JSON.parse(installed).packages;
    return Object.entries(wanted).every(([path, entry]) => {
      if (path === '') return true;
      // Binaries for other platforms are in the lock file, but are not installed.
      if (present[path] === undefined) return entry.optional === true || entry.devOptional === true;
      return present[path].version === entry.version && present[path].integrity === entry.integrity;
    });
  } catch {
    return false;
  }
}

/**
 * Chooses how to install redis-server. `machine` is `{platform, isRoot, has}`; `has(command)` is
 * true for a command that works without a prompt. Returns `{kind: 'apt-get', prefix}`,
 * `{kind: 'unpack'}`, `{kind: 'brew'}`, or `{kind: 'impossible', sentence}`.
 */
export function redisInstallPlan(machine) {
  if (machine.platform === 'darwin' && machine.has('brew')) return { kind: 'brew' };
  if (machine.platform === 'linux' && machine.has('apt-get')) {
    if (machine.isRoot) return { kind: 'apt-get', prefix: [] };
    if (machine.has('sudo')) return { kind: 'apt-get', prefix: ['sudo', '-n'] };
    if (machine.has('dpkg')) return { kind: 'unpack' };
  }
  return { kind: 'impossible', sentence: redisMissingMessage(machine.platform) };
}

const aptInstall = ['install', '-y', '--no-install-recommends', 'redis-server'];

/**
 * The command of a plan that installs Redis, for people. `target` is the folder for unpacked
 * packages.
 */
export function redisInstallCommand(plan, target) {
  if (plan.kind === 'brew') return 'brew install redis';
  if (plan.kind === 'apt-get') return [...plan.prefix, 'apt-get', ...aptInstall].join(' ');
  return `apt-get download redis-server redis-tools, with their libraries, and dpkg -x into ${target}`;
}

function redisMissingMessage(platform) {
  const how =
    platform === 'darwin'
      ? 'install Homebrew (https://brew.sh) and run `brew install redis`'
      : platform === 'win32'
        ? 'run this project under WSL'
        : "install your distribution's package `redis` (or `redis-server`, or `valkey`)";
  return `redis-server is not installed and cannot be installed automatically: ${how}, or set REDIS_URL to a running Redis.`;
}

/**
 * Finds redis-server or the compatible valkey-server on `searchPath`, a PATH; otherwise the
 * redis-server that was unpacked under `dataDirectory`. Returns `{command, environment}`, or
 * undefined.
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
 * Reads the project's `.env`, if any, into the environment. Variables that are already set keep
 * their values.
 */
function loadEnvironmentFile() {
  const path = join(projectDirectory, '.env');
  if (existsSync(path)) process.loadEnvFile(path);
}

/** DATA_DIR as an absolute path; by default `.data` in the project. */
export function dataDirectory(environment = process.env) {
  return resolve(projectDirectory, environment.DATA_DIR || '.data');
}

/**
 * The first step of the scripts in this folder: reads `.env`, then installs what is missing, and
 * prints the command of each installation before it runs. On an error, prints one sentence and
 * exits. `needsRedis` is false for scripts that start no Redis, and `'always'` for those that start
 * one even if REDIS_URL is set. `readsEnvironmentFile` is false for tests, which must not connect
 * to a database that is in use.
 */
export function prepare({ needsRedis, readsEnvironmentFile = true }) {
  // The version is checked first, because the code below does not run on an older Node.js.
  const versionError = nodeVersionError(process.versions.node);
  if (versionError !== undefined) fail(versionError);
  if (readsEnvironmentFile) loadEnvironmentFile();
  try {
    ensureDependencies();
    if (needsRedis === 'always' || (needsRedis && !process.env.REDIS_URL)) ensureRedis(dataDirectory());
  } catch (error) {
    fail(error instanceof SetupError ? error.message : `Setup failed: ${error.message}`);
  }
}

function ensureDependencies() {
  const lock = readOrEmpty(join(projectDirectory, 'package-lock.json'));
  const installed = readOrEmpty(join(projectDirectory, 'node_modules', '.package-lock.json'));
  if (matchesLock(lock, installed)) return;
  // --include=dev: with NODE_ENV=production, npm would not install tsx, which runs the TypeScript
  // of all scripts.
  const install = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  console.log(`Installing the npm packages: npm ${install.join(' ')}`);
  const npm = process.env.npm_execpath;
  const result = npm?.endsWith('.js')
    ? run(process.execPath, [npm, ...install], { cwd: projectDirectory })
    : run('npm', install, { cwd: projectDirectory, shell: process.platform === 'win32' });
  if (!result.ok) throw new SetupError(`The npm packages could not be installed (npm ci): ${result.reason}.`);
}

function ensureRedis(directory) {
  if (findRedisServer(directory) !== undefined) return;
  const plan = redisInstallPlan({
    platform: process.platform,
    isRoot: process.getuid?.() === 0,
    has: (command) => (command === 'sudo' ? run('sudo', ['-n', 'true']).ok : findCommand(command) !== undefined),
  });
  if (plan.kind === 'impossible') throw new SetupError(plan.sentence);
  console.log(`Installing redis-server: ${redisInstallCommand(plan, unpackDirectory(directory))}`);
  if (plan.kind === 'brew') {
    requireSuccess(run('brew', ['install', '--quiet', 'redis']), 'brew install redis');
  } else if (plan.kind === 'apt-get') {
    installWithApt(plan.prefix);
  } else {
    unpackRedis(directory);
  }
  if (findRedisServer(directory) === undefined) throw new SetupError(redisMissingMessage(process.platform));
}

function installWithApt(prefix) {
  const [command, ...args] = [...prefix, 'apt-get'];
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const install = () => run(command, [...args, ...aptInstall], { env });
  if (install().ok) return;
  // The package lists can be missing or outdated.
  console.log(`Updating the package lists: ${[...prefix, 'apt-get', 'update'].join(' ')}`);
  run(command, [...args, 'update'], { env });
  requireSuccess(install(), 'apt-get install redis-server');
}

/**
 * Installs without root: unpacks the packages of the distribution in the data folder, to be run
 * with LD_LIBRARY_PATH. The package lists are stored there too, because the lists of the system can
 * be empty, and only root can update them.
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
  // An unreachable package source can be irrelevant. If it is needed, the download below fails.
  run('apt-get', [...options, 'update']);
  const depends = run('apt-cache', [...options, 'depends', '--important', 'redis-server', 'redis-tools']);
  requireSuccess(depends, 'apt-cache depends redis-server');
  const libraries = [...depends.output.matchAll(/^\s+Depends: ((?:lib|lua-)[\w.+-]+)$/gm)].map((match) => match[1]);
  const wanted = ['redis-server', 'redis-tools', ...libraries.filter((name) => !/^libc6$|^libsystemd/.test(name))];
  const debs = join(state, 'debs');
  requireSuccess(
    run('apt-get', [...options, 'download', ...new Set(wanted)], { cwd: debs }),
    'apt-get download redis-server',
  );
  for (const deb of readdirSync(debs)) requireSuccess(run('dpkg', ['-x', join(debs, deb), draft]), `dpkg -x ${deb}`);
  rmSync(state, { recursive: true, force: true });
  // The folder is renamed last, so that an incomplete installation is never found.
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
  const result = spawnSync(command, args, { stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8', ...options });
  if (result.signal === 'SIGINT' || result.signal === 'SIGTERM') process.exit(130);
  const lines = `${result.stdout ?? ''}\n${result.stderr ?? ''}`.split('\n').map((line) => line.trim());
  const errorLine = lines.find((line) => /^(?:E:|npm error (?!code))/.test(line)) ?? lines.findLast(Boolean);
  const reason = result.error?.message ?? errorLine ?? `exit code ${result.status}`;
  return { ok: result.status === 0, output: result.stdout ?? '', reason: reason.replace(/\.$/, '') };
}

function requireSuccess(result, command) {
  if (!result.ok)
    throw new SetupError(`${command} failed: ${result.reason}; set REDIS_URL to a running Redis instead.`);
}
