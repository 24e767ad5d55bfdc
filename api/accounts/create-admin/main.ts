import { readConfig } from '../../../shared/config/config.ts';
import { createModels } from '../../../shared/models.ts';
import { createLog } from '../../../shared/process/log.ts';
import { connectMongo, migrateDatabase, runMain } from '../../../shared/start.ts';
import { createAdmin, promoteAccount, readArguments } from './create-admin.ts';

/** Entry point of `npm run create-admin`. It needs MongoDB, and no Redis. */
await runMain(async () => {
  const { email, promote } = readArguments(process.argv.slice(2));
  const config = readConfig(process.env);
  // Only errors: the result is the line on stdout. A process of the log is `web` or `worker`.
  const log = createLog({ level: 'error', process: 'web' });
  await migrateDatabase(config);
  const mongo = await connectMongo(config, 'request');
  try {
    const deps = { models: createModels(mongo), log };
    const result = promote ? await promoteAccount(deps, email) : await createAdmin(deps, email);
    process.stdout.write(`${result}\n`);
  } finally {
    await mongo.close();
  }
});
