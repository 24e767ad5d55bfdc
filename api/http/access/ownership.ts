import type { Model } from 'mongoose';
import type { DataAccess } from '../../../shared/config/config.ts';
import type { Scenario } from '../../../shared/scenarios/scenario.model.ts';
import type { Caller } from '../context.ts';

/**
 * Whose resources a caller sees and changes; others do not exist for it. `mount-routes.ts`
 * determines it for each request, and handlers get the collections that it permits.
 */
export interface Ownership {
  /** The account that owns what the caller creates; null without credentials. */
  readonly owner: string | null;
  /** The owners of what the caller sees, with null for no owner; null if the caller sees all. */
  readonly visible: readonly (string | null)[] | null;
}

/** A key acts as its owner. Resources without an owner are visible to all; an admin sees all. */
export function ownershipOf({ key, user }: Pick<Caller, 'key' | 'user'>, access: DataAccess): Ownership {
  const owner = key?.ownerId ?? user?.id ?? null;
  const seesAll = access === 'team' || (key ? key.ownerRole : user?.role) === 'admin';
  return { owner, visible: seesAll ? null : owner === null ? [null] : [owner, null] };
}

/**
 * The part of a collection that exists for a caller: the only way from a handler to it. `in out`
 * states what the compiler would take seconds to find by comparing models.
 */
export interface Owned<in out Thing> {
  readonly model: Model<Thing>;
  /** Part of every query. */
  readonly visible: { createdBy?: { $in: (string | null)[] } };
  /** `createdBy` of what the caller creates. */
  readonly owner: string | null;
}

export type OwnedScenarios = Owned<Scenario>;

/** Callers name the type of the things, because the compiler takes seconds to infer it. */
export function owned<Thing>(model: Model<Thing>, { owner, visible }: Ownership): Owned<Thing> {
  return { model, owner, visible: visible === null ? {} : { createdBy: { $in: [...visible] } } };
}
