import { readConfig } from '../../shared/config/config.ts';
import { migrateDatabase, runMain } from '../../shared/start.ts';

/** Entry point of `npm run migrate`, the step before a release starts. It needs MongoDB only. */
await runMain(async () => {
  await migrateDatabase(readConfig(process.env));
  process.stdout.write('The database has all indexes.\n');
});
