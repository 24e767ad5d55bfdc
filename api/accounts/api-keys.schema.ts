import { Type } from 'typebox';
import { type ApiKey, type Scope, scopes, type Tier, tiers } from '../../shared/accounts/api-key.model.ts';
import type { Config } from '../../shared/config/config.ts';
import { day, second } from '../../shared/durations.ts';
import { parseTimestamp } from '../../shared/timestamp.ts';
import { Joi, number, text } from '../http/input.ts';
import { type PageQuery, pageFields } from '../http/paging.ts';
import { nullable, oneOf, pageOf, present, timestamp, uuid as uuidText } from '../http/response-types.ts';

export interface ApiKeyCreate {
  name: string;
  scopes: Scope[];
  expires_at: Date | null;
  tier?: Tier;
}

export type ApiKeyUpdate = Partial<ApiKeyCreate>;

const maxGraceSeconds = (30 * day) / second;

const name = text(1, 100).trim();
const scopeList = Joi.array()
  .items(Joi.string().valid(...scopes))
  .unique()
  .min(1);
const tier = Joi.string().valid(...tiers);
const expiresAt = Joi.string()
  .allow(null)
  .custom((value: string, helpers) => {
    const time = parseTimestamp(value);
    if (time === undefined) return helpers.error('time.form');
    return time > Date.now() ? new Date(time) : helpers.message({ custom: 'must be in the future' });
  })
  .messages({ 'time.form': 'must be an ISO 8601 time, up to 2099' });

export const apiKeyCreate = Joi.object<ApiKeyCreate>({
  name: name.required(),
  scopes: scopeList.default(() => scopes.filter((scope) => scope !== 'admin')),
  expires_at: expiresAt.default(null),
  tier,
});

export const apiKeyUpdate = Joi.object<ApiKeyUpdate>({
  name,
  scopes: scopeList,
  expires_at: expiresAt,
  tier,
}).min(1);

export const apiKeyRotate = Joi.object<{ grace_seconds: number }>({
  grace_seconds: number()
    .integer()
    .min(0)
    .max(maxGraceSeconds)
    .default(0)
    .description('Time for which the old key is still valid, in seconds.'),
});

export const apiKeyListQuery = (pageSize: Config['pageSize']) =>
  Joi.object<PageQuery & { all: boolean }>({
    all: Joi.boolean().default(false).description('List the keys of all accounts. Only an admin can set it to true.'),
    ...pageFields(pageSize),
  });

const fields = {
  id: uuidText(),
  user_id: uuidText(),
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

export function presentApiKey(apiKey: ApiKey) {
  const [newest, ...older] = apiKey.secrets;
  const graceEnds = older.map(({ expiresAt }) => expiresAt?.getTime() ?? 0).filter((end) => end > Date.now());
  const graceEndsAt = graceEnds.length > 0 ? new Date(Math.max(...graceEnds)) : null;
  return present(apiKeyResponse, { ...apiKey, userId: apiKey.ownerId, prefix: newest?.prefix ?? '', graceEndsAt });
}
