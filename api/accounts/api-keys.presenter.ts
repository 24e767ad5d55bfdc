import { type Static, Type } from 'typebox';
import { type ApiKey, scopes, tiers } from '../../shared/accounts/api-key.model.ts';
import { nullable, oneOf, pageOf, timestamp, uuid } from '../http/response-types.ts';

const fields = {
  id: uuid(),
  user_id: uuid(),
  name: Type.String(),
  prefix: Type.String({ description: 'Prefix of the newest key.' }),
  scopes: Type.Array(oneOf(scopes)),
  tier: oneOf(tiers),
  expires_at: nullable(timestamp()),
  last_used_at: nullable(timestamp()),
  grace_ends_at: nullable(timestamp(), { description: 'End of the grace period of the rotated keys.' }),
  created_at: timestamp(),
  updated_at: timestamp(),
};

export const apiKeyResponse = Type.Object(fields, { $id: 'ApiKey' });

export const newApiKeyResponse = Type.Object(
  { ...fields, key: Type.String({ description: 'The API key. No other response contains it.' }) },
  { $id: 'NewApiKey' },
);

export const apiKeyListResponse = pageOf(apiKeyResponse, { $id: 'ApiKeyList' });

export function presentApiKey(apiKey: ApiKey): Static<typeof apiKeyResponse> {
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
    grace_ends_at: graceEnds.length > 0 ? new Date(Math.max(...graceEnds)).toISOString() : null,
    created_at: apiKey.createdAt.toISOString(),
    updated_at: apiKey.updatedAt.toISOString(),
  };
}
