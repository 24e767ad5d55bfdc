import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from '../../shared/errors.ts';
import { dataDirectory } from '../ensure-installed.mjs';
import { loadSecrets } from './secrets.ts';

/** Files of the data folder with the addresses of the servers that a local stack has started. */
export const addressFiles = { MONGODB_URL: 'documents.url', REDIS_URL: 'redis.url' } as const;

/**
 * The variables of a command that works on the data of a local stack, which must be running. With
 * `MONGODB_URL` and `REDIS_URL`, the environment is that of a service, and unchanged.
 * @throws StartError if no local stack has run.
 */
export async function stackEnvironment(environment: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> {
  if (environment.MONGODB_URL && environment.REDIS_URL) return environment;
  const folder = dataDirectory(environment);
  const addresses: Record<string, string> = {};
  for (const [name, file] of Object.entries(addressFiles)) {
    addresses[name] = environment[name] || (await readFile(join(folder, file), 'utf8').catch(() => '')).trim();
    if (addresses[name] !== '') continue;
    throw new StartError(`${name}: no local stack has run in ${folder}; start it with npm start, or set the variable.`);
  }
  return {
    ...environment,
    NODE_ENV: environment.NODE_ENV || 'development',
    // Not used, but each process of the service requires it.
    NOTEBOOK_BACKEND_URL: environment.NOTEBOOK_BACKEND_URL || 'http://127.0.0.1:1',
    ...addresses,
    ...(await loadSecrets(folder, environment)),
  };
}
