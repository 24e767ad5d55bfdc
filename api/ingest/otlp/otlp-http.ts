import type { Middleware } from 'koa';
import { Type } from 'typebox';
import { AppError, type ErrorCode } from '../../../shared/errors.ts';
import { otlpType } from '../../../shared/ingest/otlp/otlp-schema.ts';
import { unsupportedType } from '../../http/body/request-body.ts';
import type { AppContext, AppState, ErrorFormat } from '../../http/context.ts';

/** The media types of OTLP over HTTP. */
export const otlpMediaTypes = { json: 'application/json', protobuf: 'application/x-protobuf' } as const;

/** The encoding of a request and its response. @throws AppError UNSUPPORTED_MEDIA_TYPE. */
export function encodingOf(ctx: AppContext): keyof typeof otlpMediaTypes {
  if (isOf(ctx, 'protobuf')) return 'protobuf';
  if (isOf(ctx, 'json')) return 'json';
  throw unsupportedType(ctx, [otlpMediaTypes.protobuf, otlpMediaTypes.json]);
}

/** Also of a request without a body, which is a valid message in protobuf. */
const isOf = ({ request }: AppContext, encoding: keyof typeof otlpMediaTypes) =>
  request.type.trim().toLowerCase() === otlpMediaTypes[encoding];

/** The codes of `google.rpc.Code`. Exporters decide about a repeat by the HTTP status. */
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

/** Errors as OTLP prescribes them: a `google.rpc.Status`, in protobuf or in JSON. */
export const otlpErrors: ErrorFormat = {
  media: { [otlpMediaTypes.json]: statusResponse, [otlpMediaTypes.protobuf]: null },
  present: (error, ctx) => {
    const body = { code: rpcCodes[error.code], message: messageOf(error) };
    const headers = shortenWait(error);
    return isOf(ctx, 'protobuf')
      ? { type: otlpMediaTypes.protobuf, body: Buffer.from(otlpType('Status').encode(body).finish()), headers }
      : { type: otlpMediaTypes.json, body, headers };
  },
};

/** The message with all field errors: exporters show nothing else of a status. */
function messageOf({ message, details }: AppError): string {
  const fields = (details ?? []).flatMap((detail) => ('field' in detail ? [`${detail.field} ${detail.error}`] : []));
  return fields.length < 2 ? message : `The request is not valid: ${fields.join('; ')}.`;
}

const signal = '/v1(?:development)?/(?:logs|traces|metrics|profiles)';
/** An address of a signal, with the part before it, and the signals that it repeats. */
const signalAddress = new RegExp(`^(?<base>.*?)(?<signals>(?:${signal})+)/?$`);

/**
 * Corrects the addresses that exporters put together from their settings: repeated slashes are one.
 * An address that ends with a signal twice, or with another signal than logs, gets an error that
 * names the address to set. Exporters show an error in their own format only.
 */
export function otlpAddresses(): Middleware<AppState> {
  return (ctx, next) => {
    const path = ctx.path.replace(/\/{2,}/g, '/');
    const { base = '', signals } = signalAddress.exec(path)?.groups ?? {};
    if (ctx.method !== 'POST' || signals === undefined) return next();
    if (signals === '/v1/logs') {
      if (path !== ctx.path) ctx.path = path;
      return next();
    }
    ctx.state.errorFormat = otlpErrors;
    const address = `${base}/v1/logs`;
    const isRepeated = signals.indexOf('/v1', 1) !== -1;
    throw new AppError(
      'NOT_FOUND',
      isRepeated
        ? `The address ends with ${signals}: set OTEL_EXPORTER_OTLP_LOGS_ENDPOINT to the address of ${address}, or OTEL_EXPORTER_OTLP_ENDPOINT to what is before /v1/logs, to which the exporter adds it.`
        : `Only logs are accepted, at ${address}: set OTEL_EXPORTER_OTLP_LOGS_ENDPOINT to this address, and the exporters of other signals to none.`,
    );
  };
}
