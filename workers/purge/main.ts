import { parseArgs } from 'node:util';
import { readConfig } from '../../shared/config/config.ts';
import { StartError } from '../../shared/errors.ts';
import { openResources } from '../../shared/open-resources.ts';
import { createLog } from '../../shared/process/log.ts';
import { runMain } from '../../shared/start.ts';
import { purge, removedByIndex } from './purge.processor.ts';

/** Entry point of `npm run purge`. Workers purge every hour by themselves. */
await runMain(async () => {
  const isDryRun = readArguments();
  const config = readConfig(process.env);
  const log = createLog({ level: 'error', process: 'worker' });
  const { resources, closing } = await openResources(config, log, { mongo: 'worker', redis: 'request' });
  try {
    process.stdout.write(show(isDryRun ? 'A purge would remove' : 'Removed', await purge(resources, { isDryRun })));
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

function show(title: string, counts: Readonly<Record<string, number>>): string {
  const lines = Object.entries(counts).map(
    ([name, count]) =>
      `  ${name.padEnd(28)} ${String(count).padStart(10)}${name in removedByIndex ? '  (an index removes them)' : ''}`,
  );
  return `${title}:\n${lines.join('\n')}\n`;
}
