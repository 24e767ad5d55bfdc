import { Type } from 'typebox';
import type { AppError, ErrorCode } from '../../../shared/errors.ts';
import type { OtlpSchema } from '../../../shared/ingest/otlp/otlp-schema.ts';
import type { ErrorFormat } from '../../http/context.ts';
import { isProtobuf, otlpMediaTypes } from './otlp-encoding.ts';

/**
 * The codes of `google.rpc.Code`. Exporters decide by the HTTP status whether they send a request
 * again.
 */
const rpcCodes: Readonly<Record<ErrorCode, number>> = {
  VALIDATION_ERROR: 3,
  AUTH_ERROR: 16,
  FORBIDDEN: 7,
  NOT_FOUND: 5,
  METHOD_NOT_ALLOWED: 12,
  CONFLICT: 10,
  INVALID_STATE: 9,
  GONE: 5,
  PRECONDITION_FAILED: 9,
  PAYLOAD_TOO_LARGE: 3,
  UNSUPPORTED_MEDIA_TYPE: 3,
  RANGE_NOT_SATISFIABLE: 11,
  IDEMPOTENCY_MISMATCH: 3,
  RATE_LIMITED: 8,
  INTERNAL_ERROR: 13,
  UPSTREAM_ERROR: 14,
  SERVICE_UNAVAILABLE: 14,
};

const statusResponse = Type.Object(
  {
    code: Type.Integer({ description: 'A code of `google.rpc.Code`.' }),
    message: Type.String(),
  },
  { $id: 'RpcStatus', examples: [{ code: 3, message: 'The request is not valid: X-Scenario-ID is required.' }] },
);

/**
 * Seconds. Exporters drop a batch at once if `Retry-After` exceeds the rest of their timeout, which
 * is 10 s by default. A wait of 3 s keeps them sending longest: after 0, 3, 6 and 9 s.
 */
const maxRetryAfter = 3;

function shortenWait({ headers }: AppError): Record<string, string> {
  const { 'Retry-After': wait } = headers;
  return wait === undefined ? {} : { 'Retry-After': String(Math.min(Number(wait), maxRetryAfter)) };
}

/**
 * Errors as OTLP prescribes them: a `google.rpc.Status` in protobuf to a request in protobuf, in
 * JSON to any other.
 */
export function otlpErrors({ status }: OtlpSchema): ErrorFormat {
  return {
    media: { [otlpMediaTypes.json]: statusResponse, [otlpMediaTypes.protobuf]: null },
    present: (error, ctx) => {
      const body = { code: rpcCodes[error.code], message: messageOf(error) };
      const headers = shortenWait(error);
      return isProtobuf(ctx)
        ? { type: otlpMediaTypes.protobuf, body: Buffer.from(status.encode(body).finish()), headers }
        : { type: otlpMediaTypes.json, body, headers };
    },
  };
}

/**
 * The message with all field errors, because a status has no other place for them that exporters
 * show.
 */
function messageOf({ message, details }: AppError): string {
  const fields = (details ?? []).flatMap((detail) => ('field' in detail ? [`${detail.field} ${detail.error}`] : []));
  return fields.length < 2 ? message : `The request is not valid: ${fields.join('; ')}.`;
}
