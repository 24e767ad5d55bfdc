import { parseArgs } from 'node:util';
import { openQueues } from '../../shared/all-queues.ts';
import { readConfig } from '../../shared/config/config.ts';
import { closeRedis } from '../../shared/connections/redis.ts';
import { createIngestSpool } from '../../shared/ingest/ingest-spool.ts';
import { createModels } from '../../shared/models.ts';
import { createLog } from '../../shared/process/log.ts';
import { StartError } from '../../shared/process/start-error.ts';
import { createReportFiles } from '../../shared/reports/report-files.ts';
import { connectMongo, connectRedis, runMain } from '../../shared/start.ts';
import { forecastPurge, type PurgeDeps, purge } from './purge.ts';

/** Entry point of `npm run purge`. Workers purge every hour by themselves. */
await runMain(async () => {
  const dryRun = readArguments();
  const config = readConfig(process.env);
  const log = createLog({ level: 'error', process: 'worker' });
  const mongo = await connectMongo(config, 'worker');
  const redis = await connectRedis(config, 'request', log);
  const queues = openQueues({ redis, prefix: config.redisPrefix, log });
  const spool = createIngestSpool({ redis, prefix: config.redisPrefix, key: config.keys.spool });
  const deps = { models: createModels(mongo), queues, spool, reportFiles: createReportFiles(mongo), config };
  try {
    process.stdout.write(dryRun ? await showForecast(deps) : showRemoved(await purge(deps)));
  } finally {
    await queues.close();
    await closeRedis(redis);
    await mongo.close();
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
