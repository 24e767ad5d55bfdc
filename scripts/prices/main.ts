import { randomUUID } from 'node:crypto';
import { type AppliedPrices, applyPrices } from '../../shared/cost/refresh/apply-prices.ts';
import { planChanges } from '../../shared/cost/refresh/plan-changes.ts';
import { readSource } from '../../shared/cost/refresh/read-source.ts';
import { StartError } from '../../shared/errors.ts';
import { parsePricesArguments, type SourceArguments, usage } from './arguments.ts';
import { readComparedBook, withDatabase } from './database.ts';
import { bookStatus, formatPlan, formatStatus, planToJson, showProgress, type Terminal } from './output.ts';

/**
 * Runs a command. @returns the exit code: 0, 2 if `diff` found a change, 1 if an argument is
 * invalid or the source is refused.
 */
export async function runPrices(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    const options = parsePricesArguments(args);
    if (options.command === 'diff') return await printDiff(terminal, options);
    if (options.command === 'apply') return await printApplied(terminal, options);
    if (options.command === 'help') terminal.print(usage);
    else {
      const status = bookStatus(await readComparedBook(terminal), new Date());
      terminal.print(options.json ? JSON.stringify(status, null, 2) : formatStatus(status));
    }
    return 0;
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    terminal.printError(error.message);
    return 1;
  }
}

async function printDiff(terminal: Terminal, { source, only, json }: SourceArguments): Promise<number> {
  const book = await readComparedBook(terminal);
  const progress = showProgress();
  const reading = await readSource(source, book, { only, onProgress: progress.update }).finally(() => progress.stop());
  const plan = planChanges(book, reading, { today: new Date().toISOString().slice(0, 10), only });
  terminal.print(json ? planToJson(reading, plan) : formatPlan(reading, plan));
  if (plan.refusals.length > 0) return 1;
  return plan.changes.length > 0 ? 2 : 0;
}

/** Stores the prices of a source as a new version. */
async function printApplied(
  terminal: Terminal,
  { source, json, only, acceptLargeChanges }: SourceArguments,
): Promise<number> {
  const progress = showProgress();
  const actor = { ...noAccount, clientAddress: 'npm run prices', requestId: randomUUID() };
  const applied = await withDatabase(terminal.environment, (models) =>
    applyPrices(models, source, { actor, acceptLargeChanges, onProgress: progress.update, ...(only && { only }) }),
  ).finally(() => progress.stop());
  const { status, version, reading, plan } = applied;
  if (json) terminal.print(planToJson(reading, plan, { status, version }));
  else terminal.print([formatPlan(reading, plan), sentenceOf(applied)].join('\n'));
  return status === 'refused' ? 1 : 0;
}

const noAccount = { userId: null, userIdSource: null, accountId: null, apiKeyId: null };

function sentenceOf({ status, version, plan }: AppliedPrices): string {
  if (status === 'refused') return `The newest version is still ${version}.`;
  if (status === 'current') return `Version ${version} has these prices already.`;
  return `Version ${version} is stored; ${plan.changes.length} prices have changed.`;
}
