// The reads and writes of `/api/v1/users`, and the errors that an admin gets.
import type { QueryFilter } from 'mongoose';
import { revokeSessions } from '../../shared/accounts/session.model.ts';
import {
  activeAdmin,
  isActiveAdmin,
  type PasswordLink,
  type Role,
  type User,
} from '../../shared/accounts/user.model.ts';
import type { AuditEvent } from '../../shared/audit/audit-record.model.ts';
import { isDuplicateKey, majority } from '../../shared/connections/mongo.ts';
import { AppError } from '../../shared/errors.ts';
import { type Scenario, type ScenarioModel, textKeyOf } from '../../shared/scenarios/scenario.model.ts';
import type { OwnedModels, RouteModels } from '../app-deps.ts';
import { userOf } from '../http/access/caller.ts';
import type { Operation } from '../http/context.ts';
import { maxNameLength } from '../scenarios/assumptions.schema.ts';
import { createEvent, type ScenarioWriter, write } from '../scenarios/scenario-writes.ts';
import type { UserCreate, UserUpdate } from './accounts.schema.ts';
import { emailTaken, insertUser, newUser } from './auth.store.ts';

export async function createAccount(
  models: RouteModels,
  { email, role }: UserCreate,
  passwordLink: PasswordLink,
  operation?: Operation,
): Promise<User> {
  // The response with the link of an earlier attempt was lost.
  if (operation?.attemptedBefore && (await models.user.exists({ _id: operation.id })))
    return renewPasswordLink(models, operation.id, passwordLink);
  const user = newUser({ email, role, passwordLink }, operation);
  if (await insertUser(models, user)) return user;
  throw emailTaken();
}

/** As a majority has it, so that no failover gives a revision back that a change relies on. */
export async function findAccount({ user }: RouteModels, id: string): Promise<User> {
  const found = await user.findById(id).readConcern(majority.level).lean<User>();
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
    const fields = {
      ...(role === undefined ? {} : { role }),
      ...(disabled === undefined ? {} : { disabledAt: disabled ? (user.disabledAt ?? new Date()) : null }),
    };
    if (isActiveAdmin(user) && !isActiveAdmin({ ...user, ...fields })) await requireOtherAdmin(models, id);
    const changed = await changeUser(models, user, fields);
    if (!changed) continue;
    if (disabled) await endAccess(models, id);
    return changed;
  }
}

/**
 * Requires another admin before an admin is removed, and changes the revision of the other one. A
 * concurrent removal of that one then has no effect and is decided again, so one of any number of
 * removals is refused. test/proof/last-admin.test.ts runs this in random schedules.
 * @throws AppError CONFLICT when the account is the last admin.
 */
async function requireOtherAdmin({ user }: RouteModels, id: string): Promise<void> {
  const { matchedCount } = await user.updateOne({ ...activeAdmin, _id: { $ne: id } }, { $inc: { revision: 1 } });
  if (matchedCount === 0)
    throw new AppError('CONFLICT', 'This account is the last admin; make another account admin first.');
}

/** @returns the changed account; null if it has another revision than the one that was read. */
export async function changeUser(
  { user }: RouteModels,
  { _id, revision }: User,
  fields: { role?: Role; disabledAt?: Date | null },
): Promise<User | null> {
  return user
    .findOneAndUpdate(
      // `null` also matches an absent field.
      { _id, revision: revision ?? null },
      {
        $set: { ...fields, updatedAt: new Date() },
        $inc: { revision: 1 },
        ...(fields.disabledAt ? { $unset: { passwordLink: 1 } } : {}),
      },
      { returnDocument: 'after' },
    )
    .lean<User>();
}

/** Replaces the password link of an account. The password stays valid until the link is used. */
export async function renewPasswordLink(models: RouteModels, id: string, passwordLink: PasswordLink): Promise<User> {
  const renewed = await models.user
    .findOneAndUpdate(
      { _id: id, disabledAt: null },
      { $set: { passwordLink, updatedAt: new Date() }, $inc: { revision: 1 } },
      { returnDocument: 'after' },
    )
    .lean<User>();
  if (renewed) return renewed;
  await findAccount(models, id);
  throw new AppError('CONFLICT', `Account ${id} is disabled; enable it first.`);
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

const ownAccount = (verb: string) =>
  new AppError('CONFLICT', `An admin cannot ${verb} its own account; another admin can.`);

const badNewOwner = (error: string) =>
  new AppError('VALIDATION_ERROR', `The new owner ${error}.`, { details: [{ field: 'to', error }] });

const notFound = (id: string) => new AppError('NOT_FOUND', `Account ${id} does not exist.`);

/**
 * Makes another account the owner of what an account owns. It can be repeated after an
 * interruption.
 * @param writer an admin's, which reaches all scenarios.
 */
async function transferOwnership(
  { notebook, report, reportSchedule }: Omit<OwnedModels, 'scenario'>,
  writer: ScenarioWriter,
  from: string,
  to: string,
): Promise<void> {
  await notebook.updateMany({ createdBy: from }, { $set: { createdBy: to } });
  await report.updateMany({ createdBy: from }, { $set: { createdBy: to } });
  await reportSchedule.updateMany({ createdBy: from }, { $set: { createdBy: to } });
  await write(writer, () => transferScenarios(writer, from, to));
}

async function transferScenarios(writer: ScenarioWriter, from: string, to: string): Promise<void> {
  const scenario = writer.scenarios.model;
  const event = createEvent(writer, 'SCENARIO_UPDATED', { fields: ['created_by'] });
  try {
    await scenario.updateMany(
      { createdBy: from },
      { $set: { createdBy: to }, $inc: { revision: 1 }, $push: { pendingAudit: event } },
    );
    return;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
  // The new owner has scenarios of the same names, so transferred ones get a number.
  for await (const { _id, name } of scenario.find({ createdBy: from }, { name: 1 }).lean<Scenario[]>().cursor()) {
    const change = { createdBy: to };
    let transferred = await updateUnlessTaken(scenario, { _id, createdBy: from }, change, event);
    for (let number = 2; !transferred; number += 1) {
      const newName = numbered(name, number);
      const renamed = { ...change, name: newName, nameKey: textKeyOf(newName) };
      const renaming = createEvent(writer, 'SCENARIO_UPDATED', { fields: ['created_by', 'name'] });
      transferred = await updateUnlessTaken(scenario, { _id, createdBy: from, deletedAt: null }, renamed, renaming);
    }
  }
}

/** @returns false if the new owner has another scenario of the name. */
async function updateUnlessTaken(
  scenario: ScenarioModel,
  which: QueryFilter<Scenario>,
  change: Partial<Scenario>,
  event: AuditEvent,
): Promise<boolean> {
  try {
    await scenario.updateOne(which, { $set: change, $inc: { revision: 1 }, $push: { pendingAudit: event } });
    return true;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}

/** `Peak season (2)`, cut to the longest name. */
function numbered(name: string, number: number): string {
  const suffix = ` (${number})`;
  const start = Array.from(name).slice(0, maxNameLength - suffix.length);
  return start.join('').trimEnd() + suffix;
}
