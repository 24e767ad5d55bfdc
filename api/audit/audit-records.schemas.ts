import type { CustomHelpers } from 'joi';
import { type AuditEventType, auditEventTypes } from '../../shared/audit/audit-record.model.ts';
import type { Config } from '../../shared/config/config.ts';
import { Joi, uuid } from '../http/joi.ts';
import { periodFields } from '../http/period.ts';

/**
 * Records that the pages of one list reach, and that are counted. All records are retained, so they
 * are millions some day.
 */
export const longestList = 10_000;
/** Records that one request verifies: a tenth of a second of CPU time, in slices. */
const maxVerified = 2_000;

export interface AuditRecordQuery {
  event_type?: AuditEventType;
  scenario_id?: string;
  user_id?: string;
  request_id?: string;
  /** Inclusive. */
  from?: Date;
  /** Exclusive. */
  to?: Date;
  page: number;
  page_size: number;
}

export function auditRecordQuery(pageSize: Config['pageSize']) {
  return Joi.object<AuditRecordQuery>({
    event_type: Joi.string().valid(...auditEventTypes),
    scenario_id: uuid().description('Also finds the bulk delete that deleted the scenario.'),
    user_id: uuid().description('`user_id_source` of a record says whether credentials prove its user.'),
    request_id: uuid(),
    ...periodFields,
    page: Joi.number().integer().min(1).max(longestList).default(1),
    page_size: Joi.number().integer().min(1).max(pageSize.max).default(pageSize.default),
  })
    .custom(withinList)
    .messages({ 'page.beyond': `is beyond the first ${longestList} records; name an earlier period with to` });
}

function withinList(query: AuditRecordQuery, helpers: CustomHelpers): unknown {
  if ((query.page - 1) * query.page_size < longestList) return query;
  return helpers.error('page.beyond', {}, helpers.state.localize?.(['page']));
}

interface VerificationQuery {
  from_seq: number;
  limit: number;
}

export const verificationQuery = Joi.object<VerificationQuery>({
  from_seq: Joi.number()
    .integer()
    .min(1)
    .default(1)
    .description('The first record to verify: 1, or `next_seq` of the portion before.'),
  limit: Joi.number().integer().min(1).max(maxVerified).default(1_000).description('The most records of a portion.'),
});
