import type { User } from '../../shared/accounts/user.model.ts';
import type { AppError } from '../../shared/errors.ts';
import type { RouteModels } from '../app-deps.ts';
import { authError } from '../http/access/caller.ts';
import type { Operation } from '../http/context.ts';

/**
 * The account of a valid password link. Garbled, expired, replaced and used tokens get the same
 * error.
 * @param operation that can have used the link in an earlier attempt, whose response was lost.
 */
export async function findLinkedUser({ user }: RouteModels, hash: string | null, operation?: Operation): Promise<User> {
  const unused = { 'passwordLink.usedBy': null, 'passwordLink.expiresAt': { $gt: new Date() } };
  const usable = operation?.attemptedBefore ? { $or: [unused, { 'passwordLink.usedBy': operation.id }] } : unused;
  const found =
    hash === null ? null : await user.findOne({ 'passwordLink.hash': hash, disabledAt: null, ...usable }).lean<User>();
  if (!found) throw invalidLink();
  return found;
}

/** Sets the password by a link, once. @throws AppError AUTH_ERROR when the link was used since. */
export async function usePasswordLink(
  { user }: RouteModels,
  { _id, passwordLink: link }: User,
  passwordHash: string,
  operation?: Operation,
): Promise<User> {
  if (!link) throw invalidLink();
  const usedBy = operation?.id ?? '';
  const updated = await user
    .findOneAndUpdate(
      {
        _id,
        disabledAt: null,
        'passwordLink.hash': link.hash,
        'passwordLink.expiresAt': { $gt: new Date() },
        'passwordLink.usedBy': null,
      },
      // The revision too: with a password, an admin counts as one that can log in.
      { $set: { passwordHash, 'passwordLink.usedBy': usedBy, updatedAt: new Date() }, $inc: { revision: 1 } },
      { returnDocument: 'after' },
    )
    .lean<User>();
  if (!updated) throw invalidLink();
  return updated;
}

function invalidLink(): AppError {
  return authError(
    'The link is not valid: it is mistyped, has expired, was used before or was replaced by a newer one.',
  );
}
