// The commands of `npm run prices`.
import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { removeCredentials } from '../../shared/connections/connection-urls.ts';
import { openMongo } from '../../shared/connections/mongo.ts';
import { readBookOfCode } from '../../shared/cost/price-book.ts';
import type { PriceBookFile } from '../../shared/cost/price-book-file.ts';
import { readNewestPriceBook } from '../../shared/cost/price-books.ts';
import { type Service, services } from '../../shared/cost/price-line.ts';
import { type AppliedPrices, applyPrices } from '../../shared/cost/refresh/apply-prices.ts';
import { planChanges } from '../../shared/cost/refresh/plan-changes.ts';
import { parseSourceName, readSource, type SourceName, sourceForms } from '../../shared/cost/refresh/read-source.ts';
import { second } from '../../shared/durations.ts';
import { StartError } from '../../shared/errors.ts';
import { createModels, type Models } from '../../shared/models.ts';
import { stackEnvironment } from '../local-stack/settings.ts';
import { bookStatus, formatPlan, formatStatus, planToJson, type Terminal, withProgress } from './output.ts';

/**
 * Runs a command. @returns the exit code: 0, 2 if `diff` found a change, 1 if an argument is
 * invalid or the source is refused.
 */
export async function runPrices([command, ...args]: readonly string[], terminal: Terminal): Promise<number> {
  try {
    if (command === 'status') return await printStatus(terminal, parse(command, args));
    if (command === 'diff') return await printDiff(terminal, parse(command, args));
    if (command === 'apply') return await printApplied(terminal, parse(command, args));
    const isHelp = command === 'help' || command === '--help';
    const wrong = command === undefined ? 'The command is missing' : `"${command}" is not a command`;
    if (!isHelp) throw new StartError(`${wrong}: use status, diff or apply.`);
    terminal.print(usage);
    return 0;
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    terminal.printError(error.message);
    return 1;
  }
}

async function printStatus(terminal: Terminal, { json }: Options): Promise<number> {
  const status = bookStatus(await readComparedBook(terminal), new Date());
  terminal.print(json ? JSON.stringify(status, null, 2) : formatStatus(status));
  return 0;
}

async function printDiff(terminal: Terminal, options: Options): Promise<number> {
  const { source, only } = sourceOf('diff', options);
  const book = await readComparedBook(terminal);
  const reading = await withProgress((onProgress) => readSource(source, book, { only, onProgress }));
  const plan = planChanges(book, reading, { today: new Date().toISOString().slice(0, 10), only });
  terminal.print(options.json ? planToJson(reading, plan) : formatPlan(reading, plan));
  if (plan.refusals.length > 0) return 1;
  return plan.changes.length > 0 ? 2 : 0;
}

/** Stores the prices of a source as a new version. */
async function printApplied(terminal: Terminal, options: Options): Promise<number> {
  const { source, only } = sourceOf('apply', options);
  const actor = { ...noAccount, clientAddress: 'npm run prices', requestId: randomUUID() };
  const acceptLargeChanges = options['accept-large-changes'];
  const applied = await withProgress((onProgress) =>
    withDatabase(terminal.environment, (models) =>
      applyPrices(models, source, { actor, acceptLargeChanges, onProgress, only }),
    ),
  );
  const { status, version, reading, plan } = applied;
  if (options.json) terminal.print(planToJson(reading, plan, { status, version }));
  else terminal.print([formatPlan(reading, plan), sentenceOf(applied)].join('\n'));
  return status === 'refused' ? 1 : 0;
}

const noAccount = { userId: null, userIdSource: null, accountId: null, apiKeyId: null };

function sentenceOf({ status, version, plan }: AppliedPrices): string {
  if (status === 'refused') return `The newest version is still ${version}.`;
  if (status === 'current') return `Version ${version} has these prices already.`;
  return `Version ${version} is stored; ${plan.changes.length} prices have changed.`;
}

const timeoutMs = 5 * second;

/**
 * The newest version of the database: that of the environment, or of the local stack if it runs.
 * Else the book of the code, which a line of `printError` says.
 */
async function readComparedBook({ environment, printError }: Terminal): Promise<PriceBookFile> {
  try {
    return await withDatabase(environment, async (models) => (await readNewestPriceBook(models)).file);
  } catch (error) {
    if (environment['MONGODB_URL'] || !(error instanceof StartError)) throw error;
    printError('No database is running: this is about the price book of the code.');
    return readBookOfCode();
  }
}

/**
 * Works on the database of the environment or of the local stack.
 * @throws StartError with one sentence if the database is unknown or unreachable.
 */
async function withDatabase<T>(environment: NodeJS.ProcessEnv, work: (models: Models) => Promise<T>): Promise<T> {
  const url = environment['MONGODB_URL'] || ((await stackEnvironment(environment)).MONGODB_URL ?? '');
  const mongo = await openMongo(url, { timeoutMs, role: 'worker' }).catch((error: Error) => {
    const reason = error.message.replace(/\.$/, '');
    const where = `MONGODB_URL: no database answers at ${removeCredentials(url)} (${reason})`;
    throw new StartError(`${where}; start it or correct the variable.`, { cause: error });
  });
  try {
    return await work(createModels(mongo));
  } finally {
    await mongo.close();
  }
}

const usage = `Usage: npm run prices -- <command>

  status [--json]                   age of each part of the price book, Regions without a source, old evidence
  diff --from <source> [--only queue|function|inference] [--json]
                                    what the source would change: old and new price, per cent, source, date.
                                    Exit code 2 if something would change, 1 if the source is refused.
  apply --from <source> [--only queue|function|inference] [--accept-large-changes] [--json]
                                    stores the prices of the source as a new version.
                                    Exit code 1 if the source is refused.

  --only reads the prices of one service, whatever the source has of others. --accept-large-changes also takes prices
  that are more than ten times off.
  A source is ${sourceForms}.
  The database is that of MONGODB_URL, or of the local stack. apply needs it. The other commands change nothing; they
  compare with the newest version of the database, or with the price book of the code if no database runs.`;

const flag = { type: 'boolean' } as const;
const ofSource = { json: flag, from: { type: 'string' }, only: { type: 'string' } } as const;
const optionsOf = {
  status: { json: flag },
  diff: ofSource,
  apply: { ...ofSource, 'accept-large-changes': flag },
} as const;

interface Options {
  json?: boolean;
  from?: string;
  only?: string;
  'accept-large-changes'?: boolean;
}

/** @throws StartError with one sentence. */
function sourceOf(command: string, { from, only }: Options): { source: SourceName; only?: readonly Service[] } {
  if (from === undefined) throw new StartError(`${command} needs --from with a source: ${sourceForms}.`);
  const chosen = services.filter((name) => name === only);
  if (only !== undefined && chosen.length === 0) {
    throw new StartError(`--only must be one of ${services.join(', ')}, not "${only}".`);
  }
  return { source: parseSourceName(from), ...(only !== undefined && { only: chosen }) };
}

/** @throws StartError with one sentence. */
function parse(command: keyof typeof optionsOf, args: string[]): Options {
  try {
    return parseArgs({ args, options: optionsOf[command] }).values as Options;
  } catch (error) {
    const [sentence = ''] = (error as Error).message.split(/\. |\n/);
    throw new StartError(`${command}: ${sentence.replace(/\.$/, '')}.`, { cause: error });
  }
}
