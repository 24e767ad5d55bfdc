import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { isActiveAdmin, type User } from '../../../shared/accounts/user.model.ts';
import type { AuditDetails, AuditEventType } from '../../../shared/audit/audit-record.model.ts';
import { AppError, StartError } from '../../../shared/errors.ts';
import type { RouteDeps } from '../../app-deps.ts';
import { actorOf, changeWithIntent } from '../../audit/audit-trail.ts';
import { check } from '../../http/input.ts';
import { registerBody, userCreate } from '../accounts.schema.ts';
import { emailTaken, findUserByEmail, insertUser, newUser } from '../auth.store.ts';
import { createPasswords } from '../passwords.ts';
import { changeUser } from '../users.store.ts';

type Deps = Pick<RouteDeps, 'models' | 'log'>;

/** The sender of the audit records of this command. It has no account and no address. */
const operator = () => {
  const id = 'operator';
  return actorOf({ id, limitKey: id, address: 'local', network: 'local', user: null, key: null }, randomUUID());
};

/**
 * @param password read from the terminal or the standard input if absent.
 * @returns a sentence about what was done. @throws StartError
 */
export async function createAdmin({ models, log }: Deps, sentEmail: string, password?: string): Promise<string> {
  const { email } = requireValid(userCreate, { email: sentEmail });
  const existing = await findUserByEmail(models, email);
  if (existing) throw new StartError(describeExisting(existing));
  const credentials = requireValid(registerBody, { email, password: password ?? (await readPassword()) });
  const request = { network: 'local', earlierAttempts: 0, isAbandoned: () => false };
  const passwordHash = await createPasswords().hash(credentials.password, request);
  const admin = newUser({ email, role: 'admin', passwordHash });
  await record({ models, log }, 'USER_CREATED', { target_id: admin._id }, async () => {
    if (!(await insertUser(models, admin))) throw emailTaken();
  });
  return `${email} is an admin now.`;
}

/**
 * Makes an existing account an admin, and enables it. @returns a sentence about what was
 * done. @throws StartError
 */
export async function promoteAccount({ models, log }: Deps, email: string): Promise<string> {
  const user = await findUserByEmail(models, email);
  if (!user)
    throw new StartError(`There is no account with the e-mail address ${email}; without --promote, it is created.`);
  if (isActiveAdmin(user)) throw new StartError(describeExisting(user));
  await record({ models, log }, 'USER_UPDATED', { target_id: user._id, fields: ['role', 'disabled'] }, async () => {
    if (!(await changeUser(models, user, { role: 'admin', disabledAt: null })))
      throw new AppError('CONFLICT', 'The account has just changed; try again.');
  });
  return `${user.email} is an admin now.`;
}

async function record(
  deps: Deps,
  type: AuditEventType,
  details: AuditDetails,
  change: () => Promise<void>,
): Promise<void> {
  try {
    await changeWithIntent(deps, { actor: operator(), type, before: details, after: () => details }, change);
  } catch (error) {
    throw error instanceof AppError ? new StartError(error.message) : error;
  }
}

const describeExisting = (user: User) =>
  isActiveAdmin(user)
    ? `${user.email} is an admin already.`
    : `An account with the e-mail address ${user.email} exists; with --promote, it becomes an admin.`;

function requireValid<T>(schema: Parameters<typeof check<T>>[0], value: object): T {
  const result = check(schema, value, 'input');
  if ('value' in result) return result.value;
  throw new StartError(`${result.errors.map(({ field, error }) => `The ${field} ${error}`).join('; ')}.`);
}

const usage =
  'create-admin takes one e-mail address, as in `npm run create-admin -- jane@example.com`, and reads the password from the terminal or the standard input; with --promote, an existing account becomes an admin.';

/** @throws StartError if the arguments are not one e-mail address. */
export function readArguments(args: string[]): { email: string; promote: boolean } {
  try {
    const options = { promote: { type: 'boolean', default: false } } as const;
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const [email, ...rest] = positionals;
    if (email !== undefined && rest.length === 0) return { email, promote: values.promote };
  } catch {
    // An unknown option.
  }
  throw new StartError(usage);
}

const noPassword =
  'No password came on standard input: run the command in a terminal, or pass the password as the first line, as in `npm run create-admin -- jane@example.com < password.txt`.';

/**
 * Reads a password twice from the terminal, without showing it, or once from the first line of the
 * standard input. Arguments would remain in the history of the shell and in the list of processes.
 * @throws StartError if the two differ, or the standard input has none.
 */
async function readPassword(): Promise<string> {
  const { stdin } = process;
  if (!stdin.isTTY) {
    const [password = ''] = (await text(stdin)).split(/\r?\n/);
    if (password === '') throw new StartError(noPassword);
    return password;
  }
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: stdin, output: silent, terminal: true });
  terminal.once('SIGINT', () => process.exit(130));
  const ask = async (question: string) => {
    process.stderr.write(question);
    const response = await terminal.question('');
    process.stderr.write('\n');
    return response;
  };
  try {
    const password = await ask('Password of the new admin: ');
    if ((await ask('The same again: ')) !== password) throw new StartError('The two passwords differ.');
    return password;
  } finally {
    terminal.close();
  }
}
