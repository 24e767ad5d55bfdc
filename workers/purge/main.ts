import { parseArgs } from 'node:util';
import { readConfig } from '../../shared/config/config.ts';
import { StartError } from '../../shared/errors.ts';
import { openResources } from '../../shared/open-resources.ts';
import { createLog } from '../../shared/process/log.ts';
import { runMain } from '../../shared/start.ts';
import { forecastPurge, type PurgeDeps, purge } from './purge.ts';

/** Entry point of `npm run purge`. Workers purge every hour by themselves. */
await runMain(async () => {
  const dryRun = readArguments();
  const config = readConfig(process.env);
  const log = createLog({ level: 'error', process: 'worker' });
  const { resources, closing } = await openResources(config, log, { mongo: 'worker', redis: 'request' });
  try {
    process.stdout.write(dryRun ? await showForecast(resources) : showRemoved(await purge(resources)));
  } finally {
    for (const step of closing) await step.run();
  }
});

/** @returns whether nothing is to be removed. */
function readArguments(): boolean {
  try {
    const { values } = parseArgs({ options: { 'dry-run': { type: 'boolean', default: false } } });
    return values['dry-run'];
  } catch (error) {
    throw new StartError(
      `${(error as Error).message.split('.')[0]}. purge: removes what is past its end; with --dry-run, only counts it.`,
    );
  }
}

async function showForecast(deps: PurgeDeps): Promise<string> {
  const forecast = await forecastPurge(deps);
  const lines = forecast.map(
    ({ name, count, byIndex }) => line(name, count) + (byIndex ? '  (an index removes them)' : ''),
  );
  return `A purge would remove:\n${lines.join('\n')}\n`;
}

function showRemoved(removed: Record<string, number>): string {
  const lines = Object.entries(removed).map(([name, count]) => line(name, count));
  return `Removed:\n${lines.join('\n')}\n`;
}

function line(name: string, count: number): string {
  return `  ${name.padEnd(28)} ${String(count).padStart(10)}`;
}
