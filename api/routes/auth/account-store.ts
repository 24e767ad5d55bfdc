import { randomUUID } from 'node:crypto';
import { AppError } from '../../../shared/errors.ts';
import type { Models } from '../../../shared/models/index.ts';
import { revokeSessions, rotateSession } from '../../../shared/models/session.model.ts';
import { emailKeyOf, type User } from '../../../shared/models/user.model.ts';
import { isDuplicateKey } from '../../../shared/mongo.ts';
import { hashOfToken, type SignedToken, type Tokens } from '../../auth/tokens.ts';
import { authError } from '../../request/caller.ts';

/** What the account routes do to the database, with the errors that their callers see. */

export interface TokenPair {
  access: SignedToken;
  refresh: SignedToken;
}

/** Is this the time of the first account, or one at which anybody may have one? */
export async function requireOpenRegistration({ user }: Models, registration: 'open' | 'closed'): Promise<void> {
  if (registration === 'closed' && (await user.exists({ first: true }))) throw registrationClosed();
}

/**
 * The first account becomes the admin. Of several at once the unique index lets one be the first; the others then try
 * again as members.
 */
export async function createUser(
  models: Models,
  fields: { email: string; passwordHash: string },
  registration: 'open' | 'closed',
): Promise<User> {
  const now = new Date();
  const member: User = {
    _id: randomUUID(),
    ...fields,
    emailKey: emailKeyOf(fields.email),
    role: 'member',
    createdAt: now,
    updatedAt: now,
  };
  if (!(await models.user.exists({ first: true }))) {
    const first: User = { ...member, role: 'admin', first: true };
    if (await insertUser(models, first)) return first;
  }
  if (registration === 'closed') throw registrationClosed();
  if (await insertUser(models, member)) return member;
  throw new AppError('CONFLICT', 'There is an account with this e-mail address.', {
    details: [{ field: 'email', error: 'is taken by another account' }],
  });
}

function registrationClosed(): AppError {
  return new AppError('FORBIDDEN', 'Registration is closed.');
}

async function insertUser({ user }: Models, fields: User): Promise<boolean> {
  try {
    await user.create(fields);
    return true;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}

/** The same for an unknown address and a wrong password. */
export const wrongCredentials = () => authError('The e-mail address or the password is wrong.');

export async function findUserByEmail({ user }: Models, email: string): Promise<User | null> {
  return user.findOne({ emailKey: emailKeyOf(email) }).lean<User>();
}

export async function findUser({ user }: Models, id: string): Promise<User> {
  const found = await user.findById(id).lean<User>();
  if (!found) throw authError('The account does not exist any more.');
  return found;
}

/**
 * Begins a session: a family of refresh tokens, with its first.
 * @throws AppError AUTH_ERROR when the password has been changed since the user was read.
 */
export async function openSession(
  { session, user }: Models,
  tokens: Tokens,
  { _id: userId, role, passwordHash }: User,
) {
  const claims = { userId, sessionId: randomUUID(), role };
  const pair = signPair(tokens, claims);
  await session.create({
    _id: claims.sessionId,
    userId,
    ...refreshFields(pair),
    createdAt: new Date(),
    revokedAt: null,
  });
  // A new password ends all sessions, and has not seen one that began while the old one was being looked at.
  if (!(await user.exists({ _id: userId, passwordHash }))) {
    await revokeSessions(session, { _id: claims.sessionId });
    throw wrongCredentials();
  }
  return pair;
}

/**
 * Gives a new pair of tokens for a refresh token, once. A good token that is not the newest of its family has been used
 * before, by its owner or by a thief: nobody can tell, so the family ends.
 */
export async function refreshSession(models: Models, tokens: Tokens, sent: string) {
  const refused = authError('The refresh token is not valid: it has expired, was used before, or its session is over.');
  const claims = tokens.read('refresh', sent);
  if (!claims) throw refused;
  const { userId, sessionId } = claims;
  const user = await findUser(models, userId);
  const pair = signPair(tokens, { userId, sessionId, role: user.role });
  const used = { _id: sessionId, userId, refreshHash: hashOfToken(sent) };
  if (await rotateSession(models.session, used, refreshFields(pair))) return { user, pair };
  await revokeSessions(models.session, { _id: sessionId });
  throw refused;
}

/** Sets a password, if it is still the one that was checked, and ends all sessions. */
export async function changePassword(
  models: Models,
  { _id, passwordHash }: User,
  newHash: string,
): Promise<User | null> {
  const changed = await models.user
    .findOneAndUpdate(
      { _id, passwordHash },
      { $set: { passwordHash: newHash, updatedAt: new Date() } },
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
