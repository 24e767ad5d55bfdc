import type { QueryFilter } from 'mongoose';
import { readNotedHead, verifyChain } from '../../shared/audit/audit-chain.ts';
import type { AuditRecord } from '../../shared/audit/audit-record.model.ts';
import { errorFields } from '../../shared/process/log.ts';
import { adminAccess } from '../http/access/access-rules.ts';
import { readPage } from '../http/paging.ts';
import { json, reply } from '../http/response.ts';
import { defineRoute, type Route, type RouteSettings, type RouteTag } from '../http/route.ts';
import {
  type AuditRecordQuery,
  auditRecordListResponse,
  auditRecordQuery,
  longestList,
  presentAuditRecord,
  presentVerification,
  verificationQuery,
  verificationResponse,
} from './audit-records.schema.ts';

const tag: RouteTag = {
  name: 'audit records',
  description: 'Who changed which scenario, account or API key, for admins. Records are kept for good.',
};

const path = '/api/v1/audit-records';

/** `/api/v1/audit-records`: admins read and verify the audit records. */
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
        const list = { sort: { at: -1, seq: -1 }, present: presentAuditRecord, limit: longestList } as const;
        return reply(200, await readPage(models.auditRecord, query, { ...list, filter: filterOf(query) }));
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
        const report = await verifyChain(models, { fromSeq, limit, noted });
        return reply(200, presentVerification(report, noted !== null));
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
