import type { DataAccess } from '../../shared/config/config.ts';
import type { ScenarioModel } from '../../shared/models/scenario.model.ts';
import type { Caller } from './context.ts';

/** Whose scenarios and notebooks a caller sees and changes. Others' do not exist for it. */
export interface Ownership {
  /** The account that owns what the caller creates; null without credentials. */
  readonly owner: string | null;
  /** The owners whose things the caller sees, where null is nobody; null if it sees all. */
  readonly visible: readonly (string | null)[] | null;
}

/** A key acts as its owner. What belongs to nobody is everybody's; an admin sees everything. */
export function ownershipOf({ key, user }: Pick<Caller, 'key' | 'user'>, access: DataAccess): Ownership {
  const owner = key?.ownerId ?? user?.id ?? null;
  const seesAll = access === 'team' || (key ? key.ownerRole : user?.role) === 'admin';
  return { owner, visible: seesAll ? null : owner === null ? [null] : [owner, null] };
}

/** The scenarios that exist for a caller: the only way from a handler to the collection. */
export interface OwnedScenarios {
  readonly model: ScenarioModel;
  /** Part of every query. */
  readonly visible: { createdBy?: { $in: (string | null)[] } };
  /** `createdBy` of what the caller creates. */
  readonly owner: string | null;
}

export function ownedScenarios(model: ScenarioModel, { owner, visible }: Ownership): OwnedScenarios {
  return { model, owner, visible: visible === null ? {} : { createdBy: { $in: [...visible] } } };
}

/** Whether a scenario exists for the caller. Without a restriction it can also be deleted. */
export async function isVisible({ model, visible }: OwnedScenarios, id: string): Promise<boolean> {
  return !visible.createdBy || (await model.exists({ _id: id, ...visible })) !== null;
}
