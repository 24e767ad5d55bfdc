import type { CustomHelpers } from 'joi';
import type { QueryFilter } from 'mongoose';
import { Type } from 'typebox';
import { chainFaults, contentOf, readNotedHead, verifyChain } from '../../shared/audit/audit-chain.ts';
import {
  type AuditEventType,
  type AuditRecord,
  auditDetails,
  auditEventTypes,
  userIdSources,
} from '../../shared/audit/audit-record.model.ts';
import type { Config } from '../../shared/config/config.ts';
import { errorFields } from '../../shared/process/log.ts';
import { adminAccess } from '../http/access/access-rules.ts';
import { Joi, periodFields, uuid } from '../http/input.ts';
import { type PageQuery, pageFields, readPage } from '../http/paging.ts';
import { json, reply } from '../http/response.ts';
import { count, nullable, oneOf, pageOf, timestamp, uuid as uuidText } from '../http/response-types.ts';
import { defineRoute, type Route, type RouteSettings, type RouteTag } from '../http/route.ts';

const hash = (description: string) => Type.String({ pattern: '^[0-9a-f]{64}$', description });

const auditRecordResponse = Type.Object(
  {
    seq: Type.Integer({ minimum: 1, description: 'Position in the chain, without gaps.' }),
    id: uuidText(),
    event_type: oneOf(auditEventTypes),
    occurred_at: timestamp({ description: 'When the change was made.' }),
    scenario_id: nullable(uuidText()),
    user_id: nullable(uuidText(), { description: '`X-User-ID`, else `account_id`.' }),
    user_id_source: nullable(oneOf(userIdSources), {
      description: '`header`: the sender named the user, without proof. `credentials`: a token or API key proves it.',
    }),
    account_id: nullable(uuidText(), { description: 'The account of the token or API key.' }),
    api_key_id: nullable(uuidText()),
    client_address: Type.String(),
    request_id: uuidText(),
    details: auditDetails,
    previous_hash: hash('The hash of the record before; zeros in the first record.'),
    hash: hash('SHA-256 over the other fields in canonical JSON (RFC 8785).'),
  },
  { $id: 'AuditRecord' },
);

const auditRecordListResponse = pageOf(auditRecordResponse, { $id: 'AuditRecordList' });

const verificationResponse = Type.Object(
  {
    valid: Type.Boolean({ description: 'Whether all records of the portion are intact.' }),
    checked: count({ description: 'Intact records, up to the first broken one.' }),
    first_broken_seq: nullable(Type.Integer({ minimum: 1 })),
    fault: nullable(oneOf(chainFaults), {
      description:
        '`missing`: no record has this number. `changed`: the hash of the record is not that of its content. `relinked`: its `previous_hash` is not the hash of the record before. `replaced`: the chain was computed anew.',
    }),
    next_seq: nullable(Type.Integer({ minimum: 1 }), {
      description:
        '`from_seq` of the next portion; null after a broken record, and if fewer than `limit` records were left.',
    }),
    head: Type.Object(
      { seq: count(), hash: hash('Hash of the record; zeros before the first one.') },
      { description: 'The last intact record. Keep it elsewhere to compare it later.' },
    ),
    end_checked: Type.Boolean({
      description: 'Whether the end that is noted in Redis was known, so that records missing at the end are noticed.',
    }),
  },
  { $id: 'AuditVerification' },
);

/**
 * Records that the pages of one list reach, and that are counted. All records are retained, so they
 * are millions some day.
 */
const longestList = 10_000;
/** Records that one request verifies: a tenth of a second of CPU time, in slices. */
const maxVerified = 2_000;

interface AuditRecordQuery extends PageQuery {
  event_type?: AuditEventType;
  scenario_id?: string;
  user_id?: string;
  request_id?: string;
  /** Inclusive. */
  from?: Date;
  /** Exclusive. */
  to?: Date;
}

function auditRecordQuery(pageSize: Config['pageSize']) {
  return Joi.object<AuditRecordQuery>({
    event_type: Joi.string().valid(...auditEventTypes),
    scenario_id: uuid().description('Also finds the bulk delete that deleted the scenario.'),
    user_id: uuid().description('`user_id_source` of a record says whether credentials prove its user.'),
    request_id: uuid(),
    ...periodFields,
    ...pageFields(pageSize, longestList),
  })
    .custom(withinList)
    .messages({ 'page.beyond': `is beyond the first ${longestList} records; name an earlier period with to` });
}

function withinList(query: AuditRecordQuery, helpers: CustomHelpers): unknown {
  if ((query.page - 1) * query.page_size < longestList) return query;
  return helpers.error('page.beyond', {}, helpers.state.localize?.(['page']));
}

const verificationQuery = Joi.object<{ from_seq: number; limit: number }>({
  from_seq: Joi.number()
    .integer()
    .min(1)
    .default(1)
    .description('The first record to verify: 1, or `next_seq` of the portion before.'),
  limit: Joi.number().integer().min(1).max(maxVerified).default(1_000).description('The most records of a portion.'),
});

const tag: RouteTag = {
  name: 'audit records',
  description: 'Who changed which scenario, account or API key, for admins. Records are kept for good.',
};

const path = '/api/v1/audit-records';

export function auditRecordRoutes({ config }: RouteSettings): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path,
      operationId: 'listAuditRecords',
      tag,
      summary: 'List audit records, the newest first',
      description: `A record appears a moment after its change. \`total\` and the pages go up to ${longestList}; earlier records are found with \`to\`. Names are shown as users wrote them.`,
      access: adminAccess,
      query: auditRecordQuery(config.pageSize),
      responses: { 200: json(auditRecordListResponse) },
      handle: async ({ query }, { models }) => {
        const present = (record: AuditRecord) => ({ ...contentOf(record), hash: record.hash });
        const list = { filter: filterOf(query), sort: { at: -1, seq: -1 }, present, limit: longestList } as const;
        return reply(200, await readPage(models.auditRecord, query, list));
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${path}/verify`,
      operationId: 'verifyAuditRecords',
      tag,
      summary: 'Verify the chain of audit records, in portions',
      access: adminAccess,
      query: verificationQuery,
      responses: { 200: json(verificationResponse) },
      handle: async ({ query: { from_seq: fromSeq, limit } }, { models, redis, config: { redisPrefix }, log }) => {
        // Read first: records that are appended concurrently are then beyond the noted end, not
        // missing.
        const noted = await readNotedHead(redis, redisPrefix).catch((error: unknown) => {
          log.warn('end of the audit records not read', errorFields(error));
          return null;
        });
        const { checked, broken, head, next } = await verifyChain(models, { fromSeq, limit, noted });
        return reply(200, {
          valid: broken === null,
          checked,
          first_broken_seq: broken?.seq ?? null,
          fault: broken?.fault ?? null,
          next_seq: next,
          head,
          end_checked: noted !== null,
        });
      },
    }),
  ];
}

function filterOf({
  event_type: type,
  scenario_id: scenarioId,
  user_id: userId,
  request_id: requestId,
  from,
  to,
}: AuditRecordQuery) {
  const filter: QueryFilter<AuditRecord> = {};
  if (type !== undefined) filter.type = type;
  if (scenarioId !== undefined) filter.$or = [{ scenarioId }, { 'details.scenario_ids': scenarioId }];
  if (userId !== undefined) filter.userId = userId;
  if (requestId !== undefined) filter.requestId = requestId;
  if (from ?? to) filter.at = { ...(from ? { $gte: from } : {}), ...(to ? { $lt: to } : {}) };
  return filter;
}
