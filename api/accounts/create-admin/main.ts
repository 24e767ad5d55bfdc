import { parseArgs } from 'node:util';
import { readConfig } from '../../../shared/config/config.ts';
import { createModels } from '../../../shared/models.ts';
import { createLog } from '../../../shared/process/log.ts';
import { StartError } from '../../../shared/process/start-error.ts';
import { connectMongo, prepareDatabase, runMain } from '../../../shared/start.ts';
import { createAdmin, promoteAccount } from './create-admin.ts';

const usage =
  'create-admin takes one e-mail address, as in `npm run create-admin -- jane@example.com`, and reads the password from the terminal or the standard input; with --promote, an existing account becomes an admin.';

/** Entry point of `npm run create-admin`. It needs MongoDB only. */
await runMain(async () => {
  const { email, promote } = readArguments();
  const config = readConfig(process.env);
  const log = createLog({ level: 'error', process: 'web' });
  await prepareDatabase(config);
  const mongo = await connectMongo(config, 'request');
  try {
    const deps = { models: createModels(mongo), log };
    const done = promote ? await promoteAccount(deps, email) : await createAdmin(deps, email);
    process.stdout.write(`${done}\n`);
  } finally {
    await mongo.close();
  }
});

function readArguments(): { email: string; promote: boolean } {
  try {
    const options = { promote: { type: 'boolean', default: false } } as const;
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    const [email, ...rest] = positionals;
    if (email !== undefined && rest.length === 0) return { email, promote: values.promote };
  } catch {
    // An unknown option.
  }
  throw new StartError(usage);
}
