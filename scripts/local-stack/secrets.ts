import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { StackError } from './stack-error.ts';

/** How each secret of the local stack is made; the names are those of the environment variables. */
const recipes = {
  SPOOL_KEY: () => randomBytes(32).toString('hex'),
  DASHBOARD_USER: () => 'admin',
  DASHBOARD_PASSWORD: () => randomBytes(12).toString('base64url'),
  TOKEN_SECRET: () => randomBytes(32).toString('hex'),
};

export type Secrets = Record<keyof typeof recipes, string>;

/**
 * The secrets that web and worker need: from the environment, else from `secrets.json` in the data folder, else made
 * now and kept there, readable by its owner only. Entries that are waiting in Redis stay readable after a restart.
 */
export async function loadSecrets(dataDirectory: string, environment: NodeJS.ProcessEnv): Promise<Secrets> {
  const path = join(dataDirectory, 'secrets.json');
  const kept = await readSecrets(path);
  const names = Object.keys(recipes) as (keyof typeof recipes)[];
  const own = Object.fromEntries(names.map((name) => [name, kept[name] || recipes[name]()])) as Secrets;
  if (names.some((name) => kept[name] !== own[name])) await writeSecrets(path, { ...kept, ...own });
  return Object.fromEntries(names.map((name) => [name, environment[name] || own[name]])) as Secrets;
}

async function readSecrets(path: string): Promise<Record<string, string>> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new StackError(`${path} can not be read (${(error as Error).message}): give yourself the right to read it.`);
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
    // Falls through to the sentence: the text is no JSON.
  }
  throw new StackError(`${path} is damaged: remove it, and new secrets are made at the next start.`);
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
  // In one step: a start that is killed here leaves the old secrets or the new ones, never half of them.
  await rename(draft, path);
}
