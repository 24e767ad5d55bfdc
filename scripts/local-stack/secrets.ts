import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { StackError } from './stack-error.ts';

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
  const names = Object.keys(generators) as (keyof typeof generators)[];
  const own = Object.fromEntries(names.map((name) => [name, stored[name] || generators[name]()])) as Secrets;
  if (names.some((name) => stored[name] !== own[name])) await writeSecrets(path, { ...stored, ...own });
  return Object.fromEntries(names.map((name) => [name, environment[name] || own[name]])) as Secrets;
}

async function readSecrets(path: string): Promise<Record<string, string>> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new StackError(`${path} cannot be read (${(error as Error).message}): correct its permissions.`);
  }
  try {
    const parsed: unknown = JSON.parse(text);
    if (
      typeof parsed === 'object' &&
      parsed !== null &&
      Object.values(parsed).every((value) => typeof value === 'string')
    )
      return parsed as Record<string, string>;
  } catch {
    // Not JSON: the error below reports it.
  }
  throw new StackError(`${path} is damaged: remove it; the next start generates new secrets.`);
}

async function writeSecrets(path: string, secrets: Record<string, string>): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}.tmp`;
  const file = await open(draft, 'w', 0o600);
  try {
    await file.writeFile(`${JSON.stringify(secrets, null, 2)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  // An atomic rename: a start that is killed here leaves the old or the new file, but no partial
  // one.
  await rename(draft, path);
}
