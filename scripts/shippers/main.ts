import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type BenchStack, withBenchStack } from '../bench/bench-stack.ts';
import { renderTable } from '../bench/bench-table.ts';
import { type Account, createAccount } from './accounts.ts';
import { countLines, type LineCounts } from './count-lines.ts';
import { curl } from './curl.ts';
import { daemonShippers } from './daemons.ts';
import { disturb } from './disturbances.ts';
import { adaptConfiguration, readConfigurations } from './documented-configurations.ts';
import { type Feed, startFeed } from './feed.ts';
import { generateLine } from './generated-lines.ts';
import { loggerShippers } from './loggers.ts';
import type { FoundShipper, RunFacts, RunningShipper, Shipper } from './shipper.ts';
import { openToolFolder } from './tool-folder.ts';

const shippers: readonly Shipper[] = [curl, ...daemonShippers, ...loggerShippers];

interface Chosen {
  shipper: Shipper;
  found: FoundShipper;
}

/** One tool and its scenario in a run. */
interface Participant extends Chosen {
  scenarioId: string;
  running: RunningShipper;
  feed: Feed;
  startedAt: number;
}

interface Result {
  name: string;
  version: string;
  sent: number;
  counted: number;
  lines: LineCounts;
  seconds: number;
  bound: ReturnType<Shipper['bound']>;
  output: string;
}

/**
 * Lets every tool of the machine send the same lines with its configuration of docs/log-shippers.md, while web is
 * restarted twice and the worker is killed once, and prints what was counted. The exit code is 1 if a tool lost or
 * repeated more than the document says.
 */
export async function runShippers(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string', multiple: true },
      tools: { type: 'string' },
      lines: { type: 'string', default: '10000' },
      seconds: { type: 'string', default: '60' },
      'kill-web': { type: 'boolean', default: false },
      verbose: { type: 'boolean', default: false },
    },
  });
  const wanted = shippers.filter(({ name }) => values.only?.includes(name) ?? true);
  if (wanted.length === 0) throw new Error(`--only: use one of ${shippers.map(({ name }) => name).join(', ')}.`);
  const tools = await openToolFolder(values.tools);
  const chosen: Chosen[] = [];
  const absent: string[] = [];
  for (const shipper of wanted) {
    const found = await shipper.find(tools);
    if (found) chosen.push({ shipper, found });
    else absent.push(shipper.name);
  }
  if (absent.length > 0) console.error(`Not on this machine: ${absent.join(', ')}`);
  if (chosen.length === 0) return;
  const lines = Array.from({ length: Number(values.lines) }, (_, index) => generateLine(index));
  const directory = await mkdtemp(join(tmpdir(), 'meterbook-shippers-'));
  try {
    const results = await withBenchStack(
      {},
      (stack) => ship(stack, chosen, { lines, seconds: Number(values.seconds), directory, kill: values['kill-web'] }),
      // As the document says for tools that send a record per request.
      { AUTH_MODE: 'strict', RATE_LIMIT_INGEST: '60000', INGEST_WAIT_MS: '5000' },
    );
    report(results, values.verbose);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

interface ShipOptions {
  lines: readonly string[];
  seconds: number;
  directory: string;
  kill: boolean;
}

async function ship(stack: BenchStack, chosen: readonly Chosen[], options: ShipOptions): Promise<Result[]> {
  const account = await createAccount(stack.url);
  const participants = await Promise.all(chosen.map((one) => startOne(one, stack, account, options)));
  try {
    const [first] = participants;
    if (!first) return [];
    const facts = await disturb(stack, first.feed, options.kill ? 'SIGKILL' : 'SIGTERM');
    return await Promise.all(participants.map((one) => finishOne(one, stack, account, options.lines, facts)));
  } finally {
    for (const { running } of participants) await running.stop();
  }
}

async function startOne(
  { shipper, found }: Chosen,
  stack: BenchStack,
  account: Account,
  { lines, seconds, directory }: ShipOptions,
): Promise<Participant> {
  const { name } = shipper;
  const [configuration, program] = (await readConfigurations()).get(name) ?? [];
  if (configuration === undefined) throw new Error(`docs/log-shippers.md has no configuration of ${name}.`);
  const own = join(directory, name.replaceAll(' ', '-'));
  const logFile = join(own, 'app.log');
  const stateDirectory = join(own, 'state');
  await mkdir(stateDirectory, { recursive: true });
  const { scenarioId, key } = await account.createTarget(name);
  const real = { port: Number(new URL(stack.url).port), scenarioId, key, logFile, stateDirectory };
  if (program !== undefined) {
    await writeFile(join(stateDirectory, 'send-to-meterbook'), adaptConfiguration(program, real), { mode: 0o755 });
  }
  const running = await found.start(adaptConfiguration(configuration, real), { directory: own, logFile });
  const { input } = running;
  const feed = startFeed(lines, seconds, async (text) => {
    if (input) input.write(text);
    else await appendFile(logFile, text);
  });
  if (running.endsWithInput) void feed.done.then(() => input?.end());
  return { shipper, found, scenarioId, running, feed, startedAt: performance.now() };
}

/** A tool is done when all lines are counted, or when none was for so long. */
const idleMs = 45_000;

async function finishOne(
  { shipper, found, scenarioId, running, feed, startedAt }: Participant,
  { mongodbUrl }: BenchStack,
  account: Account,
  lines: readonly string[],
  facts: RunFacts,
): Promise<Result> {
  await feed.done;
  let counted = 0;
  let changedAt = performance.now();
  for (;;) {
    const now = await account.countLogs(scenarioId);
    if (now !== counted) {
      counted = now;
      changedAt = performance.now();
    }
    if (performance.now() - changedAt > (counted >= lines.length ? 5000 : idleMs)) break;
    await delay(500);
  }
  console.error(`${shipper.name}: ${counted} lines are counted.`);
  return {
    name: shipper.name,
    version: found.version,
    sent: lines.length,
    counted,
    lines: await countLines(mongodbUrl, scenarioId, lines),
    seconds: (changedAt - startedAt) / 1000,
    bound: shipper.bound(facts),
    output: running.output(),
  };
}

function report(results: readonly Result[], verbose: boolean): void {
  const rows = results.map(({ name, version, sent, counted, lines, seconds, bound }) => {
    const isKept = lines.lost <= bound.lost && lines.twice <= bound.twice && lines.foreign === 0;
    if (!isKept) process.exitCode = 1;
    const bounds = `${bound.promise} (here: at most ${bound.lost} lost, ${bound.twice} twice)`;
    return [name, version, sent, counted, lines.lost, lines.twice, lines.foreign, Math.round(seconds), bounds, isKept ? 'yes' : 'NO'];
  });
  const head = ['tool', 'version', 'sent', 'counted', 'lost', 'twice', 'changed', 'seconds', 'promise', 'kept'];
  console.log(renderTable({ title: 'Lines of a log, web restarted twice, worker killed once', head, rows }));
  for (const { name, output } of results) if (verbose) console.log(`\n${name} printed:\n${output}`);
}
