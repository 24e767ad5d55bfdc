import { randomBytes } from 'node:crypto';
import type { Designs } from '../../api/cost/designs.responses.ts';
import type { Metrics } from '../../api/cost/metrics.responses.ts';
import { second } from '../../shared/durations.ts';
import { ApiClient, DemoError } from './api-client.ts';
import { designsTable, metricsTables, monthTable } from './cost-tables.ts';
import { createAccountWithKey } from './demo-account.ts';
import { type DemoArguments, type DemoKey, parseDemoArguments, usage } from './demo-arguments.ts';
import {
  formatInterruption,
  formatNextSteps,
  formatReports,
  formatSummary,
  type Scenario,
  type Sent,
} from './demo-messages.ts';
import { saveReports } from './save-reports.ts';
import { openInput, sendLines } from './send-lines.ts';

/** Under npm, one Ctrl-C arrives twice. A signal after this time is a second Ctrl-C. */
const duplicateSignalTime = 0.5 * second;
/** The volume of a month if there is no rate. */
const otherwisePerMonth = 1_000_000;

/**
 * Runs the demo and exits the process: with 0 on success, with 130 if interrupted, otherwise with 1
 * and one sentence.
 */
export async function runDemo(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<never> {
  try {
    const options = parseDemoArguments(args, environment);
    if (options.help) console.log(usage);
    else process.exitCode = (await runScenario(options)) ? 0 : 130;
  } catch (error) {
    console.error(error instanceof DemoError ? error.message : `The demo failed: ${(error as Error).message}`);
    process.exit(1);
  }
  process.exit();
}

/**
 * Creates a scenario, sends it the input, prints its metrics and stops it. @returns false if
 * interrupted.
 */
async function runScenario(options: DemoArguments): Promise<boolean> {
  const input = await openInput(options);
  const interrupt = createInterruptSignal();
  const sent: Sent = { lines: 0, entries: 0, skipped: 0 };
  let key: DemoKey | undefined;
  let scenario: (Scenario & { isRunning: boolean }) | undefined;
  try {
    key = options.key ?? (await createAccountWithKey(new ApiClient(options.url, interrupt)));
    const client = new ApiClient(options.url, interrupt, key?.value);
    scenario = { ...(await startScenario(client, options.region, input.name)), isRunning: true };
    const startedAt = Date.now();
    await sendLines(client, scenario.id, options.batch, input, sent);
    console.log(formatSummary(sent, Math.max(Date.now() - startedAt, 1) / second));
    console.log(`${await readTables(client, scenario.id)}\n`);
    await client.post(`api/v1/scenarios/${scenario.id}/stop`);
    scenario.isRunning = false;
    console.log(formatReports(await saveReports(client, scenario, options.out)));
    console.log(formatNextSteps(options.url, scenario, key));
    return true;
  } catch (error) {
    if (!interrupt.aborted) throw error;
    console.log(formatInterruption(options.url, scenario, sent, key));
    return false;
  }
}

async function startScenario(client: ApiClient, region: string, from: string): Promise<Scenario> {
  const name = `Demo ${new Date().toISOString().slice(0, 19)} ${randomBytes(3).toString('hex')}`;
  const description = `Created by npm run demo from ${from}`.slice(0, 500);
  const { body } = await client.post<Scenario>('api/v1/scenarios', { body: { name, region, description } });
  await client.post(`api/v1/scenarios/${body.id}/start`);
  return body;
}

/** The cost so far, of a month at the observed rate, and with other designs. */
async function readTables(client: ApiClient, scenarioId: string): Promise<string> {
  const path = `api/v1/scenarios/${scenarioId}`;
  const { body: metrics } = await client.get<Metrics>(`${path}/metrics`);
  let { body: designs } = await client.post<Designs>(`${path}/designs`);
  // Entries of one second have no rate.
  if (designs.present.month === null) {
    const body = { volume: { entries_per_month: otherwisePerMonth } };
    ({ body: designs } = await client.post<Designs>(`${path}/designs`, { body }));
  }
  return [metricsTables(metrics), monthTable(designs), designsTable(designs)].join('\n\n');
}

/** Creates a signal that the first Ctrl-C aborts. The second Ctrl-C ends the process at once. */
function createInterruptSignal(): AbortSignal {
  const controller = new AbortController();
  let firstAt: number | undefined;
  process.on('SIGINT', () => {
    if (firstAt === undefined) {
      firstAt = Date.now();
      controller.abort();
    } else if (Date.now() - firstAt > duplicateSignalTime) {
      process.exit(130);
    }
  });
  return controller.signal;
}
