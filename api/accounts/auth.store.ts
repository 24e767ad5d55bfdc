import { randomBytes, randomUUID } from 'node:crypto';
import { revokeSessions, rotateSession } from '../../shared/accounts/session.model.ts';
import { emailKeyOf, type PasswordLink, type User } from '../../shared/accounts/user.model.ts';
import type { Config } from '../../shared/config/config.ts';
import { isDuplicateKey } from '../../shared/connections/mongo.ts';
import { day } from '../../shared/durations.ts';
import { AppError } from '../../shared/errors.ts';
import type { RouteModels } from '../app-deps.ts';
import { authError } from '../http/access/caller.ts';
import type { Operation } from '../http/context.ts';
import { hashOfToken, type SignedToken, type Tokens } from './tokens.ts';

export interface TokenPair {
  access: SignedToken;
  refresh: SignedToken;
}

/**
 * Whether a registration makes an admin: outside production, until there is an admin. From then on,
 * there is always one. In production, `npm run create-admin` creates it.
 */
async function awaitsAdmin({ user }: RouteModels, { environment }: Config): Promise<boolean> {
  return environment !== 'production' && (await user.exists({ role: 'admin' })) === null;
}

/** @throws AppError FORBIDDEN if registration is closed, except for the first admin. */
export async function requireOpenRegistration(models: RouteModels, config: Config): Promise<void> {
  if (config.auth.registration === 'closed' && !(await awaitsAdmin(models, config))) throw registrationClosed();
}

/**
 * Creates an account: the first admin, unless it asks to be a member. If several are created
 * concurrently, a unique index selects one.
 */
export async function createUser(
  models: RouteModels,
  { role, ...fields }: { email: string; passwordHash: string; role?: 'member' | undefined },
  config: Config,
  operation?: Operation,
): Promise<User> {
  const member = newUser({ ...fields, role: 'member' }, operation);
  if (role !== 'member' && (await awaitsAdmin(models, config))) {
    const first: User = { ...member, role: 'admin', first: true };
    if (await insertUser(models, first)) return first;
  }
  if (config.auth.registration === 'closed') throw registrationClosed();
  if (await insertUser(models, member)) return member;
  throw emailTaken();
}

/** The account that an operation creates. */
export function newUser(
  fields: Omit<User, '_id' | 'emailKey' | 'createdAt' | 'updatedAt'>,
  operation?: Operation,
): User {
  const now = new Date();
  const _id = operation?.id ?? randomUUID();
  return { ...fields, _id, emailKey: emailKeyOf(fields.email), createdAt: now, updatedAt: now };
}

export function emailTaken(): AppError {
  return new AppError('CONFLICT', 'An account with this e-mail address exists.', {
    details: [{ field: 'email', error: 'is taken by another account' }],
  });
}

const registrationClosed = () => new AppError('FORBIDDEN', 'Registration is closed.');

/** @returns false if the e-mail address is taken, or another account is the first admin. */
export async function insertUser({ user }: RouteModels, fields: User): Promise<boolean> {
  try {
    await user.create(fields);
    return true;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}

/** An unknown address and a wrong password cause the same error. */
export const wrongCredentials = () => authError('The e-mail address or the password is wrong.');

export async function findUserByEmail({ user }: RouteModels, email: string): Promise<User | null> {
  return user.findOne({ emailKey: emailKeyOf(email) }).lean<User>();
}

export async function findUser({ user }: RouteModels, id: string): Promise<User> {
  const found = await user.findOne({ _id: id, disabledAt: null }).lean<User>();
  if (!found) throw authError('The account no longer exists, or is disabled.');
  return found;
}

/**
 * Starts a session, which is a family of refresh tokens.
 * @throws AppError AUTH_ERROR if the account is disabled, or its password has changed since the
 * account was read.
 */
export async function openSession({ session, user }: RouteModels, tokens: Tokens, { _id: userId, passwordHash }: User) {
  if (passwordHash === undefined) throw wrongCredentials();
  const claims = { userId, sessionId: randomUUID() };
  const pair = signPair(tokens, claims);
  await session.create({
    _id: claims.sessionId,
    userId,
    ...refreshFields(pair),
    createdAt: new Date(),
    revokedAt: null,
  });
  // A new password and a disabled account end all sessions, but miss one that starts while the
  // password is compared.
  if (!(await user.exists({ _id: userId, passwordHash, disabledAt: null }))) {
    await revokeSessions(session, { _id: claims.sessionId });
    throw wrongCredentials();
  }
  return pair;
}

/**
 * Exchanges a refresh token for a new pair of tokens, once. A valid token that is not the newest of
 * its family was used before, by its owner or by a thief. The service cannot distinguish the two,
 * so it ends the family.
 * @param rotationId of a request that can be repeated after its response was lost.
 */
export async function refreshSession(models: RouteModels, tokens: Tokens, sent: string, rotationId?: string) {
  const refused = authError(
    'The refresh token is not valid: it has expired, was used before, or its session has ended.',
  );
  const claims = tokens.read('refresh', sent);
  if (!claims) throw refused;
  const { userId, sessionId } = claims;
  const user = await findUser(models, userId);
  const pair = signPair(tokens, { userId, sessionId });
  const next = { ...refreshFields(pair), ...(rotationId ? { rotatedBy: rotationId } : {}) };
  const used = { _id: sessionId, userId, refreshHash: hashOfToken(sent) };
  if (await rotateSession(models.session, used, next)) return { user, pair };
  const ownRotation = rotationId ? { _id: sessionId, userId, rotatedBy: rotationId } : null;
  if (ownRotation && (await rotateSession(models.session, ownRotation, next))) return { user, pair };
  await revokeSessions(models.session, { _id: sessionId });
  throw refused;
}

/**
 * Ends the session of a refresh token, which can have been used before. Other texts end nothing.
 */
export async function endSession({ session }: RouteModels, tokens: Tokens, sent: string | null): Promise<void> {
  const claims = tokens.read('refresh', sent ?? '');
  if (claims) await revokeSessions(session, { _id: claims.sessionId });
}

/**
 * Ends all sessions of the account. Only the newest token of an open session can do so. An older
 * one can be stolen, so it ends its own session only, as at a refresh.
 * @throws AppError AUTH_ERROR
 */
export async function endAllSessions({ session }: RouteModels, tokens: Tokens, sent: string | null): Promise<void> {
  const claims = tokens.read('refresh', sent ?? '');
  if (sent !== null && claims) {
    const { userId, sessionId: _id } = claims;
    const isNewest = await session.exists({ _id, userId, refreshHash: hashOfToken(sent), revokedAt: null });
    await revokeSessions(session, isNewest ? { userId } : { _id });
    if (isNewest) return;
  }
  throw authError('The session in this browser has ended. To end all sessions, sign in again.');
}

/**
 * Sets a new password and ends all sessions, if the old password has not changed since it was
 * compared.
 */
export async function changePassword(
  models: RouteModels,
  { _id, passwordHash }: User,
  newHash: string,
): Promise<User | null> {
  if (passwordHash === undefined) return null;
  const changed = await models.user
    .findOneAndUpdate(
      { _id, passwordHash },
      { $set: { passwordHash: newHash, updatedAt: new Date() }, $unset: { passwordLink: 1 } },
      { returnDocument: 'after' },
    )
    .lean<User>();
  if (changed) await revokeSessions(models.session, { userId: _id });
  return changed;
}

function signPair(tokens: Tokens, claims: Parameters<Tokens['sign']>[1]): TokenPair {
  return { access: tokens.sign('access', claims), refresh: tokens.sign('refresh', claims) };
}

function refreshFields({ refresh }: TokenPair) {
  return { refreshHash: hashOfToken(refresh.token), expiresAt: refresh.expiresAt };
}

/** How long the token of a password link is valid, in milliseconds. */
const passwordLinkLifetime = 3 * day;

const tokenBytes = 32;

/** `token` is sent to the admin once, and never stored. */
export function generatePasswordLink(): { token: string; stored: PasswordLink } {
  const token = randomBytes(tokenBytes).toString('base64url');
  return { token, stored: { hash: hashOfToken(token), expiresAt: new Date(Date.now() + passwordLinkLifetime) } };
}

const withLink = (hash: string) => ({
  'passwordLink.hash': hash,
  'passwordLink.expiresAt': { $gt: new Date() },
  disabledAt: null,
});

/** @throws AppError AUTH_ERROR, the same for garbled, expired, replaced and used tokens. */
export async function requireLink({ user }: RouteModels, hash: string): Promise<void> {
  if (!(await user.exists(withLink(hash)))) throw invalidLink();
}

/** Sets the password by a link, once. @throws AppError AUTH_ERROR when the link was used since. */
export async function usePasswordLink({ user }: RouteModels, hash: string, passwordHash: string): Promise<User> {
  const updated = await user
    .findOneAndUpdate(
      withLink(hash),
      // The revision too: with a password, an admin counts as one that can log in.
      { $set: { passwordHash, updatedAt: new Date() }, $unset: { passwordLink: 1 }, $inc: { revision: 1 } },
      { returnDocument: 'after' },
    )
    .lean<User>();
  if (!updated) throw invalidLink();
  return updated;
}

const invalidLink = () =>
  authError('The link is not valid: it is mistyped, has expired, was used before or was replaced by a newer one.');
