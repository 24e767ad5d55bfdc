import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from '../../shared/errors.ts';

/** Generates each secret of the local stack, by the name of its environment variable. */
const generators = {
  SERVICE_SECRET: () => randomBytes(32).toString('hex'),
  DASHBOARD_PASSWORD: () => randomBytes(12).toString('base64url'),
  TOKEN_SECRET: () => randomBytes(32).toString('hex'),
  // For the account that the first start creates.
  LOCAL_ADMIN_PASSWORD: () => randomBytes(12).toString('base64url'),
};

export type Secrets = Record<keyof typeof generators, string>;

/**
 * Loads the secrets of web and worker from the environment, otherwise from `secrets.json` in the
 * data folder. Missing secrets are generated and stored, readable by the owner only, so that queued
 * entries can be decrypted after a restart.
 */
export async function loadSecrets(dataDirectory: string, environment: NodeJS.ProcessEnv): Promise<Secrets> {
  const path = join(dataDirectory, 'secrets.json');
  const stored = await readSecrets(path);
  const names = Object.keys(generators) as (keyof Secrets)[];
  const own = Object.fromEntries(names.map((name) => [name, stored[name] || generators[name]()])) as Secrets;
  if (names.some((name) => stored[name] !== own[name])) {
    await mkdir(dataDirectory, { recursive: true });
    // A start that is killed here leaves the old file or the new one, but not a part of it.
    await writeFile(`${path}.tmp`, `${JSON.stringify({ ...stored, ...own }, null, 2)}\n`, { mode: 0o600, flush: true });
    await rename(`${path}.tmp`, path);
  }
  return Object.fromEntries(names.map((name) => [name, environment[name] || own[name]])) as Secrets;
}

async function readSecrets(path: string): Promise<Partial<Secrets>> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Partial<Secrets>;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new StartError(
      `${path} cannot be read (${(error as Error).message}): correct it, or remove it, and the next start generates new secrets.`,
    );
  }
}
