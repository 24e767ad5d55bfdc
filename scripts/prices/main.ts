import { randomUUID } from 'node:crypto';
import type { PriceBookFile } from '../../shared/cost/price-book-file.ts';
import { comparePrices } from '../../shared/cost/price-changes/compare-prices.ts';
import { type Comparison, changesOf } from '../../shared/cost/price-changes/finding.ts';
import type { PriceDisputes } from '../../shared/cost/price-disputes.model.ts';
import { findDisputes } from '../../shared/cost/price-disputes.ts';
import { readSource, type SourceReading } from '../../shared/cost/price-sources/read-source.ts';
import { planRefresh, type Refresh, refreshPrices } from '../../shared/cost/refresh-prices.ts';
import { StartError } from '../../shared/process/start-error.ts';
import { type ApplyArguments, ArgumentError, type CompareArguments, parsePricesArguments, usage } from './arguments.ts';
import { formatCheck, summarizeCheck } from './check-tables.ts';
import { readComparedBook, withStackDatabase } from './database.ts';
import { formatDiff, toJson } from './diff-tables.ts';
import { bookStatus, formatStatus, type SourceDisputes } from './status.ts';
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
    else if (options.command === 'apply') return await printApplied(terminal, options);
    else return await (options.command === 'diff' ? printDiff : printCheck)(terminal, options);
    return 0;
  } catch (error) {
    if (!(error instanceof ArgumentError || error instanceof StartError)) throw error;
    terminal.printError(error.message);
    return 1;
  }
}

interface Compared {
  reading: SourceReading;
  comparison: Comparison;
}

async function compareWith(terminal: Terminal, { source, only }: CompareArguments): Promise<Compared> {
  const { file: book } = await readComparedBook(terminal);
  const today = new Date().toISOString().slice(0, 10);
  const progress = showProgress();
  try {
    const reading = await readSource(source, book, today, { only, onProgress: progress.update });
    return { reading, comparison: planRefresh(book, reading, { today, only }).comparison };
  } finally {
    progress.stop();
  }
}

async function printDiff(terminal: Terminal, options: CompareArguments): Promise<number> {
  const { reading, comparison } = await compareWith(terminal, options);
  terminal.print(options.json ? toJson(reading, comparison) : formatDiff(reading, comparison));
  if (comparison.refusals.length > 0) return 1;
  return changesOf(comparison).length > 0 ? 2 : 0;
}

async function printCheck(terminal: Terminal, options: CompareArguments): Promise<number> {
  const { reading, comparison } = await compareWith(terminal, options);
  const summary = summarizeCheck(comparison);
  terminal.print(
    options.json ? toJson(reading, comparison, { agreement: summary }) : formatCheck(reading, comparison, summary),
  );
  return comparison.refusals.length > 0 ? 1 : 0;
}

/** Stores the prices of a source as a new version. */
async function printApplied(terminal: Terminal, { source, json, ...options }: ApplyArguments): Promise<number> {
  const progress = showProgress();
  const actor = { ...noAccount, clientAddress: 'npm run prices', requestId: randomUUID() };
  const refresh = await withStackDatabase(terminal.environment, (models) =>
    refreshPrices(models, source, { ...options, name: source.kind, actor, onProgress: progress.update }),
  ).finally(() => progress.stop());
  const { status, version, changes, reading, comparison } = refresh;
  if (json) terminal.print(toJson(reading, comparison, { status, version, changes }));
  else terminal.print([formatDiff(reading, comparison), sentenceOf(refresh)].join('\n'));
  return status === 'refused' ? 1 : 0;
}

const noAccount = { userId: null, userIdSource: null, accountId: null, apiKeyId: null };

function sentenceOf({ status, version, changes }: Refresh): string {
  if (status === 'refused') return `The newest version is still ${version}.`;
  if (status === 'current') return `Version ${version} has these prices already.`;
  return `Version ${version} is stored; ${changes} prices have changed.`;
}

async function printStatus(terminal: Terminal, json: boolean): Promise<void> {
  const { file, disputes } = await readComparedBook(terminal);
  const status = bookStatus(file, await currentDisputes(file, disputes), new Date());
  terminal.print(json ? JSON.stringify(status, null, 2) : formatStatus(status));
}

/** The disputes of each second source: the stored ones, and those of the installed package. */
async function currentDisputes(book: PriceBookFile, stored: readonly PriceDisputes[]): Promise<SourceDisputes[]> {
  const today = new Date().toISOString().slice(0, 10);
  const reading = await readSource({ kind: 'genai-prices', location: '' }, book, today);
  const { findings } = comparePrices(book, reading, { today });
  return [
    { source: 'genai-prices', comparedAt: null, findings: findings.filter(({ type }) => type === 'dispute') },
    ...stored
      .filter(({ _id }) => _id !== 'genai-prices')
      .map((row) => ({ source: row._id, comparedAt: row.comparedAt, findings: findDisputes(book, row, today) })),
  ];
}
