import { randomUUID } from 'node:crypto';
import { type AppliedPrices, applyPrices, planChanges } from '../../shared/cost/apply-prices.ts';
import { changesOf } from '../../shared/cost/price-changes/finding.ts';
import { readSource } from '../../shared/cost/price-sources/read-source.ts';
import { StartError } from '../../shared/process/start-error.ts';
import { type ApplyArguments, ArgumentError, type DiffArguments, parsePricesArguments, usage } from './arguments.ts';
import { readComparedBook, withStackDatabase } from './database.ts';
import { formatDiff, toJson } from './diff-tables.ts';
import { bookStatus, formatStatus } from './status.ts';
import { showProgress, type Terminal } from './terminal.ts';

/**
 * Runs a command. @returns the exit code: 0, 2 if `diff` found a change, 1 if an argument is
 * invalid or the source is refused.
 */
export async function runPrices(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    const options = parsePricesArguments(args);
    if (options.command === 'help') terminal.print(usage);
    else if (options.command === 'status') await printStatus(terminal, options.json);
    else return await (options.command === 'diff' ? printDiff(terminal, options) : printApplied(terminal, options));
    return 0;
  } catch (error) {
    if (!(error instanceof ArgumentError || error instanceof StartError)) throw error;
    terminal.printError(error.message);
    return 1;
  }
}

async function printDiff(terminal: Terminal, { source, only, json }: DiffArguments): Promise<number> {
  const book = await readComparedBook(terminal);
  const progress = showProgress();
  const reading = await readSource(source, book, { only, onProgress: progress.update }).finally(() => progress.stop());
  const { comparison } = planChanges(book, reading, { today: new Date().toISOString().slice(0, 10), only });
  terminal.print(json ? toJson(reading, comparison) : formatDiff(reading, comparison));
  if (comparison.refusals.length > 0) return 1;
  return changesOf(comparison).length > 0 ? 2 : 0;
}

/** Stores the prices of a source as a new version. */
async function printApplied(terminal: Terminal, { source, json, ...options }: ApplyArguments): Promise<number> {
  const progress = showProgress();
  const actor = { ...noAccount, clientAddress: 'npm run prices', requestId: randomUUID() };
  const applied = await withStackDatabase(terminal.environment, (models) =>
    applyPrices(models, source, { ...options, actor, onProgress: progress.update }),
  ).finally(() => progress.stop());
  const { status, version, changes, reading, comparison } = applied;
  if (json) terminal.print(toJson(reading, comparison, { status, version, changes }));
  else terminal.print([formatDiff(reading, comparison), sentenceOf(applied)].join('\n'));
  return status === 'refused' ? 1 : 0;
}

const noAccount = { userId: null, userIdSource: null, accountId: null, apiKeyId: null };

function sentenceOf({ status, version, changes }: AppliedPrices): string {
  if (status === 'refused') return `The newest version is still ${version}.`;
  if (status === 'current') return `Version ${version} has these prices already.`;
  return `Version ${version} is stored; ${changes} prices have changed.`;
}

async function printStatus(terminal: Terminal, json: boolean): Promise<void> {
  const status = bookStatus(await readComparedBook(terminal), new Date());
  terminal.print(json ? JSON.stringify(status, null, 2) : formatStatus(status));
}
