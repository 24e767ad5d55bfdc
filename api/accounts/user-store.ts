import { randomUUID } from 'node:crypto';
import { applyUserChange, type UserChange } from '../../shared/accounts/admin-ledger.model.ts';
import { revokeSessions } from '../../shared/accounts/session.model.ts';
import { emailKeyOf, isActiveAdmin, type PasswordLink, type User } from '../../shared/accounts/user.model.ts';
import { AppError } from '../../shared/errors.ts';
import type { OwnedModels, RouteModels } from '../app-deps.ts';
import { userOf } from '../http/access/caller.ts';
import type { Operation } from '../http/context.ts';
import type { ScenarioWriter } from '../scenarios/scenario-writer.ts';
import { emailTaken, insertUser } from './account-store.ts';
import { grantRemovalOfAdmin } from './last-admin.ts';
import { transferOwnership } from './transfer-ownership.ts';
import type { UserCreate, UserUpdate } from './users.schemas.ts';

/** Reads and writes of accounts by an admin, and the errors that it sees. */

export async function createAccount(
  models: RouteModels,
  { email, role }: UserCreate,
  passwordLink: PasswordLink,
  operation?: Operation,
): Promise<User> {
  const earlier = operation?.attemptedBefore ? await models.user.findById(operation.id).lean<User>() : null;
  if (earlier) return earlier;
  const now = new Date();
  const user: User = {
    _id: operation?.id ?? randomUUID(),
    email,
    emailKey: emailKeyOf(email),
    role,
    passwordLink,
    createdAt: now,
    updatedAt: now,
  };
  if (await insertUser(models, user)) return user;
  throw emailTaken();
}

export async function listAccounts(
  { user }: RouteModels,
  { page, page_size: pageSize }: { page: number; page_size: number },
) {
  const [users, total] = await Promise.all([
    user
      .find()
      .sort({ createdAt: 1, _id: 1 })
      .skip((page - 1) * pageSize)
      .limit(pageSize)
      .lean<User[]>(),
    user.countDocuments(),
  ]);
  return { users, total };
}

export async function findAccount({ user }: RouteModels, id: string): Promise<User> {
  const found = await user.findById(id).lean<User>();
  if (!found) throw notFound(id);
  return found;
}

/** @throws AppError CONFLICT for the caller's own access, and for the access of the last admin. */
export async function updateAccount(
  models: RouteModels,
  callerId: string,
  id: string,
  { role, disabled }: UserUpdate,
): Promise<User> {
  if (disabled && id === callerId) throw ownAccount('disable');
  for (;;) {
    const user = await findAccount(models, id);
    // An interrupted request, or one in progress while the account was disabled, can have left
    // access that must end.
    if (disabled === false && user.disabledAt) await endAccess(models, id);
    const changed = await changeUser(models, user, {
      ...(role === undefined ? {} : { role }),
      ...(disabled === undefined ? {} : { disabledAt: disabled ? (user.disabledAt ?? new Date()) : null }),
    });
    if (!changed) continue;
    if (disabled) await endAccess(models, id);
    return changed;
  }
}

/**
 * Applies a change, unless the account would be the last admin. @returns null if the account has
 * changed since.
 */
async function changeUser(
  models: RouteModels,
  user: User,
  fields: Omit<UserChange, 'userId' | 'revision'>,
): Promise<User | null> {
  const change: UserChange = { userId: user._id, revision: user.revision ?? 0, ...fields };
  const removesAdmin = isActiveAdmin(user) && !isActiveAdmin({ ...user, ...fields });
  if (removesAdmin) await grantRemovalOfAdmin(models, change);
  return applyUserChange(models.user, change);
}

/** Replaces the password link of an account. The password stays valid until the link is used. */
export async function renewPasswordLink(models: RouteModels, id: string, passwordLink: PasswordLink): Promise<User> {
  // A repeated attempt of an operation has the same link, which may have been used.
  const renewed = await models.user
    .findOneAndUpdate(
      { _id: id, disabledAt: null, 'passwordLink.hash': { $ne: passwordLink.hash } },
      { $set: { passwordLink, updatedAt: new Date() }, $inc: { revision: 1 } },
      { returnDocument: 'after' },
    )
    .lean<User>();
  if (renewed) return renewed;
  const user = await findAccount(models, id);
  if (user.disabledAt) throw new AppError('CONFLICT', `Account ${id} is disabled; enable it first.`);
  return user;
}

/**
 * Deletes an account, and transfers its resources to the caller. Disabling comes first and the
 * row goes last, so that a repeated request completes what an interrupted one has begun.
 */
export async function deleteAccount(
  models: RouteModels,
  allOwners: OwnedModels,
  writer: ScenarioWriter,
  id: string,
): Promise<void> {
  const { id: callerId } = userOf(writer.caller);
  if (id === callerId) throw ownAccount('delete');
  for (;;) {
    const disabled = await updateAccount(models, callerId, id, { disabled: true });
    await transferOwnership(allOwners, writer, id, callerId);
    // Not if the account has been enabled since: it could be the last admin.
    const { deletedCount } = await models.user.deleteOne({ _id: id, revision: disabled.revision ?? null });
    if (deletedCount === 1) return;
  }
}

/**
 * Makes another account the owner of what an account owns.
 * @throws AppError VALIDATION_ERROR for an account that cannot be the new owner.
 */
export async function transferAccount(
  models: RouteModels,
  allOwners: OwnedModels,
  writer: ScenarioWriter,
  { from, to }: { from: string; to: string },
): Promise<void> {
  await findAccount(models, from);
  if (to === from) throw badNewOwner('is the account itself');
  const newOwner = await models.user.findById(to).lean<User>();
  if (!newOwner) throw badNewOwner('is not the id of an account');
  if (newOwner.disabledAt) throw badNewOwner('is the id of a disabled account; enable it first');
  await transferOwnership(allOwners, writer, from, to);
  // A deletion of the new owner that is in progress then transfers these resources too. After it,
  // they become the caller's, like the others.
  const { matchedCount } = await models.user.updateOne({ _id: to }, { $inc: { revision: 1 } });
  if (matchedCount === 0) await transferOwnership(allOwners, writer, to, userOf(writer.caller).id);
}

/** Ends the sessions of an account permanently, and removes its keys. */
async function endAccess({ session, apiKey }: RouteModels, userId: string): Promise<void> {
  await revokeSessions(session, { userId });
  await apiKey.deleteMany({ ownerId: userId });
}

function ownAccount(verb: string): AppError {
  return new AppError('CONFLICT', `An admin cannot ${verb} its own account; another admin can.`);
}

function badNewOwner(error: string): AppError {
  return new AppError('VALIDATION_ERROR', `The new owner ${error}.`, { details: [{ field: 'to', error }] });
}

function notFound(id: string): AppError {
  return new AppError('NOT_FOUND', `Account ${id} does not exist.`);
}
