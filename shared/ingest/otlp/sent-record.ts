import { AppError } from '../../errors.ts';
import { originOfResource, type RecordOrigin, type Rejection, withScope } from './log-record-entry.ts';
import type { Attributed, LogRecord } from './otlp-schema.ts';

/** The common part of the readers of both encodings. */

/** Bounds of the work for one request. */
export interface OtlpLimits {
  /** Log records of a request. */
  readonly records: number;
  /** Fields and items of a request outside of its log records. */
  readonly fields: number;
}

/** A log record takes 64 bytes at least in any request that is not built to cost much. */
export const limitsOf = (maxBytes: number): OtlpLimits => ({
  records: Math.floor(maxBytes / 64),
  fields: Math.floor(maxBytes / 16),
});

/** A log record as it is sent, not decoded yet. */
export interface SentRecord {
  /** `resourceLogs[0].scopeLogs[0].logRecords[3]`. */
  readonly path: string;
  readonly origin: RecordOrigin | Rejection;
  readonly read: () => LogRecord | Rejection;
}

/** Bytes of an encoded log record, resource or scope; what has more is not decoded. */
export const maxMessageSize = 1024 * 1024;

/** Fields and items of a log record, resource or scope, at all levels. */
export const maxMessageFields = 10_000;

export const tooManyFields = `has more than ${maxMessageFields} fields and items`;
export const messageTooLarge = (bytes: number) => `is larger than ${bytes} bytes`;

const tooMuch = (what: string) => new AppError('PAYLOAD_TOO_LARGE', `The body has more than ${what}.`);
export const tooManyRecords = ({ records }: OtlpLimits) => tooMuch(`${records} log records`);
export const tooManyOtherFields = ({ fields }: OtlpLimits) => tooMuch(`${fields} fields outside of its log records`);

/** The common fields of the records of a resource, determined once for all of its scopes. */
export function readResource(resource: Attributed | Rejection | null): RecordOrigin | Rejection {
  if (resource && 'rejected' in resource) return { rejected: `is of a resource that ${resource.rejected}` };
  return originOfResource(resource ?? {});
}

export function readScope(
  origin: RecordOrigin | Rejection,
  scope: Attributed | Rejection | null,
): RecordOrigin | Rejection {
  if ('rejected' in origin || !scope) return origin;
  return 'rejected' in scope ? { rejected: `is of a scope that ${scope.rejected}` } : withScope(origin, scope);
}
