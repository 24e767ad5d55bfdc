import { compare } from 'bcrypt';
import { findUserByEmail } from '../../api/accounts/auth.store.ts';
import { createAdmin } from '../../api/accounts/create-admin/create-admin.ts';
import { isActiveAdmin } from '../../shared/accounts/user.model.ts';
import type { Config } from '../../shared/config/config.ts';
import { createModels } from '../../shared/models.ts';
import { createLog } from '../../shared/process/log.ts';
import { connectMongo } from '../../shared/start.ts';

export const adminEmail = 'admin@example.com';

/**
 * Creates the admin of a local stack, unless the database has an admin. No account can be
 * registered before, and so none becomes the admin by chance.
 * @returns whether `adminEmail` is an admin with this password: the password can be changed, and a
 * database of an earlier stack has another admin.
 * @throws StartError if the database is unreachable.
 */
export async function ensureAdmin(config: Config, password: string): Promise<boolean> {
  const mongo = await connectMongo(config, 'setup');
  try {
    const models = createModels(mongo);
    const present = await findUserByEmail(models, adminEmail);
    if (present) return isActiveAdmin(present) && (await compare(password, present.passwordHash ?? ''));
    if (await models.user.exists({ role: 'admin' })) return false;
    await createAdmin({ models, log: createLog({ level: 'error', process: 'web' }) }, adminEmail, password);
    return true;
  } finally {
    await mongo.close();
  }
}
