import {
  type AdminLedger,
  adminLedgerId,
  applyUserChange,
  type UserChange,
} from '../../shared/accounts/admin-ledger.model.ts';
import { activeAdmin } from '../../shared/accounts/user.model.ts';
import { isDuplicateKey, majority } from '../../shared/connections/mongo.ts';
import { AppError } from '../../shared/errors.ts';
import type { RouteModels } from '../app-deps.ts';

/**
 * Grants a change that removes an admin, if another admin remains. Grants are decided one after
 * the other: each first carries out the one before it, and succeeds only if no other was decided
 * since. A grant for an account that has changed has no effect. Reads are those of a majority: a
 * decision must not rest on a grant or an admin that a failover undoes. The write that carries a
 * grant out waits for a majority, also if another request has carried it out already.
 * test/proof/last-admin.test.ts runs this in random schedules.
 * @throws AppError CONFLICT when the account is the last admin.
 */
export async function grantRemovalOfAdmin(models: RouteModels, change: UserChange): Promise<void> {
  for (;;) {
    const { version, granted } = await readLedger(models);
    if (granted) await applyUserChange(models.user, granted);
    const others = await models.user
      .countDocuments({ ...activeAdmin, _id: { $ne: change.userId } })
      .readConcern(majority.level);
    if (others === 0)
      throw new AppError('CONFLICT', 'This account is the last admin; make another account admin first.');
    const { modifiedCount } = await models.adminLedger.updateOne(
      { _id: adminLedgerId, version },
      { $set: { granted: change }, $inc: { version: 1 } },
    );
    if (modifiedCount === 1) return;
  }
}

async function readLedger({ adminLedger }: Pick<RouteModels, 'adminLedger'>): Promise<AdminLedger> {
  const found = await adminLedger.findById(adminLedgerId).readConcern(majority.level).lean<AdminLedger>();
  if (found) return found;
  try {
    const first: Omit<AdminLedger, '_id'> = { version: 0, granted: null };
    // Waits for a majority, also if another request has created it.
    await adminLedger.updateOne({ _id: adminLedgerId }, { $setOnInsert: first }, { upsert: true });
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
  return readLedger({ adminLedger });
}
