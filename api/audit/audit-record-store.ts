import type { QueryFilter } from 'mongoose';
import type { AuditRecord } from '../../shared/audit/audit-record.model.ts';
import type { RouteModels } from '../app-deps.ts';
import { type AuditRecordQuery, longestList } from './audit-records.schemas.ts';

/** Lists records, the newest first, and counts them up to `longestList`. */
export async function listAuditRecords({ auditRecord }: RouteModels, query: AuditRecordQuery) {
  const { page, page_size: pageSize } = query;
  const filter = filterOf(query);
  const [records, total] = await Promise.all([
    auditRecord
      .find(filter)
      .sort({ at: -1, seq: -1 })
      .skip((page - 1) * pageSize)
      .limit(pageSize)
      .lean<AuditRecord[]>(),
    auditRecord.countDocuments(filter, { limit: longestList }),
  ]);
  return { records, total };
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
