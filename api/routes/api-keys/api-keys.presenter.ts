import type { ApiKey } from '../../../shared/models/api-key.model.ts';

/** Of the keys themselves only the prefix of the newest is shown. */
export function presentApiKey(apiKey: ApiKey) {
  const [newest, ...older] = apiKey.secrets;
  const graceEnds = older.map(({ expiresAt }) => expiresAt?.getTime() ?? 0).filter((end) => end > Date.now());
  return {
    id: apiKey._id,
    user_id: apiKey.ownerId,
    name: apiKey.name,
    prefix: newest?.prefix ?? '',
    scopes: apiKey.scopes,
    tier: apiKey.tier,
    expires_at: apiKey.expiresAt?.toISOString() ?? null,
    last_used_at: apiKey.lastUsedAt?.toISOString() ?? null,
    /** When the last of the keys before the newest ends. */
    grace_ends_at: graceEnds.length > 0 ? new Date(Math.max(...graceEnds)).toISOString() : null,
    created_at: apiKey.createdAt.toISOString(),
    updated_at: apiKey.updatedAt.toISOString(),
  };
}
