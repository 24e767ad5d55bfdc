/** The closed list of error codes, each with its HTTP status. */
export const statusOfCode = {
  VALIDATION_ERROR: 400,
  AUTH_ERROR: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  INVALID_STATE: 409,
  GONE: 410,
  PRECONDITION_FAILED: 412,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  RANGE_NOT_SATISFIABLE: 416,
  IDEMPOTENCY_MISMATCH: 422,
  RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
  UPSTREAM_ERROR: 502,
  SERVICE_UNAVAILABLE: 503,
} as const;

export type ErrorCode = keyof typeof statusOfCode;

/**
 * An error of one field: `field` is a path such as `assumptions.function.memory_mb` or
 * `[3].message`.
 */
export interface FieldError {
  field: string;
  error: string;
}

/** Seconds to wait before the request is sent again. */
interface Wait {
  retry_after: number;
}

type ErrorDetails = readonly FieldError[] | readonly Wait[];

interface AppErrorOptions {
  details?: ErrorDetails;
  /** Response headers that belong to the error, such as `Allow` or `Retry-After`. */
  headers?: Readonly<Record<string, string>>;
  /** Default: the status of the code. */
  status?: number;
  cause?: unknown;
}

/** An error for callers. The message must not contain internals. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly details: ErrorDetails | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly status: number;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details ?? null;
    this.headers = options.headers ?? {};
    this.status = options.status ?? statusOfCode[code];
  }
}

/** A `VALIDATION_ERROR` that lists every field error. The default status is 400. */
export function validationError(errors: readonly FieldError[], status?: number): AppError {
  return new AppError('VALIDATION_ERROR', validationMessage(errors), {
    details: errors,
    ...(status === undefined ? {} : { status }),
  });
}

export function validationMessage(errors: readonly FieldError[]): string {
  const first = errors[0];
  return errors.length === 1 && first
    ? `The request is not valid: ${first.field} ${first.error}.`
    : `The request is not valid: ${errors.length} errors, see details.`;
}

/**
 * A 503 for an unavailable part of the service. `retryAfterSeconds` becomes the header
 * `Retry-After`.
 */
export function unavailable(what: string, retryAfterSeconds: number, cause?: unknown): AppError {
  return new AppError('SERVICE_UNAVAILABLE', what, {
    headers: { 'Retry-After': String(retryAfterSeconds) },
    ...(cause === undefined ? {} : { cause }),
  });
}

/** A 429 with the time to wait. `what` begins the message. */
export function rateLimited(retryAfterSeconds: number, what = 'Too many requests'): AppError {
  const wait = retryAfterSeconds === 1 ? '1 second' : `${retryAfterSeconds} seconds`;
  return new AppError('RATE_LIMITED', `${what}: wait ${wait}, then try again.`, {
    details: [{ retry_after: retryAfterSeconds }],
    headers: { 'Retry-After': String(retryAfterSeconds) },
  });
}

/**
 * An error that prevents the start. The message is one sentence that names the variable and the
 * fix.
 */
export class StartError extends Error {
  override readonly name = 'StartError';
}
