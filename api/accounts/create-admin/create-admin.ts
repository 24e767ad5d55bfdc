import { randomUUID } from 'node:crypto';
import { applyUserChange } from '../../../shared/accounts/admin-ledger.model.ts';
import { emailKeyOf, isActiveAdmin, type User } from '../../../shared/accounts/user.model.ts';
import type { AuditDetails, AuditEventType } from '../../../shared/audit/audit-record.model.ts';
import { AppError } from '../../../shared/errors.ts';
import { StartError } from '../../../shared/process/start-error.ts';
import type { RouteDeps } from '../../app-deps.ts';
import { actorOf, changeWithIntent } from '../../audit/audit-trail.ts';
import { check } from '../../http/validate.ts';
import { emailTaken, findUserByEmail, insertUser } from '../account-store.ts';
import { registerBody } from '../auth.schemas.ts';
import { createPasswords } from '../passwords.ts';
import { userCreate } from '../users.schemas.ts';
import { readPassword } from './read-password.ts';

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
  const now = new Date();
  const _id = randomUUID();
  const admin: User = {
    _id,
    email,
    emailKey: emailKeyOf(email),
    role: 'admin',
    passwordHash,
    createdAt: now,
    updatedAt: now,
  };
  await record({ models, log }, 'USER_CREATED', { target_id: _id }, async () => {
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
  const change = { userId: user._id, revision: user.revision ?? 0, role: 'admin', disabledAt: null } as const;
  await record({ models, log }, 'USER_UPDATED', { target_id: user._id, fields: ['role', 'disabled'] }, async () => {
    if (!(await applyUserChange(models.user, change)))
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
  const result = check(schema, value, { whole: 'input' });
  if ('value' in result) return result.value;
  throw new StartError(`${result.errors.map(({ field, error }) => `The ${field} ${error}`).join('; ')}.`);
}
