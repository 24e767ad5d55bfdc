/**
 * The closed list of error codes with the HTTP status of each. Status and envelope are decided from the error's fields, in
 * one middleware; nothing ever looks at its message.
 */
export const statusOfCode = {
  VALIDATION_ERROR: 400,
  AUTH_ERROR: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  INVALID_STATE: 409,
  PRECONDITION_FAILED: 412,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  IDEMPOTENCY_MISMATCH: 422,
  RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
  UPSTREAM_ERROR: 502,
  SERVICE_UNAVAILABLE: 503,
} as const;

export type ErrorCode = keyof typeof statusOfCode;

/** One fault of the input: `field` is a dotted path such as `assumptions.function.memory_mb` or `[3].message`. */
export interface Fault {
  field: string;
  error: string;
}

/** How long to wait, in seconds, before a request that came too often is sent again. */
export interface Wait {
  retry_after: number;
}

export type ErrorDetails = readonly Fault[] | readonly Wait[];

export interface AppErrorOptions {
  details?: ErrorDetails;
  /** Response headers that belong to the error, such as `Allow` or `Retry-After`. */
  headers?: Readonly<Record<string, string>>;
  /** For the few addresses that answer a code with another status than the list's. */
  status?: number;
  cause?: unknown;
}

/** An error that may be shown to the caller as it is: its message carries no internals. */
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

/** A 400, unless the address has another status for it, that lists every fault of the input. */
export function validationError(faults: readonly Fault[], status?: number): AppError {
  const first = faults[0];
  const message =
    faults.length === 1 && first
      ? `The request is not valid: ${first.field} ${first.error}.`
      : `The request is not valid: ${faults.length} faults, see details.`;
  return new AppError('VALIDATION_ERROR', message, { details: faults, ...(status === undefined ? {} : { status }) });
}

/** A 503 for a part that is away for the moment; `retryAfterSeconds` becomes the `Retry-After` header. */
export function unavailable(what: string, retryAfterSeconds: number, cause?: unknown): AppError {
  return new AppError('SERVICE_UNAVAILABLE', what, {
    headers: { 'Retry-After': String(retryAfterSeconds) },
    ...(cause === undefined ? {} : { cause }),
  });
}

/** A 429 that says how long to wait. */
export function rateLimited(retryAfterSeconds: number): AppError {
  const wait = retryAfterSeconds === 1 ? '1 second' : `${retryAfterSeconds} seconds`;
  return new AppError('RATE_LIMITED', `Too many requests: wait ${wait}, then try again.`, {
    details: [{ retry_after: retryAfterSeconds }],
    headers: { 'Retry-After': String(retryAfterSeconds) },
  });
}
