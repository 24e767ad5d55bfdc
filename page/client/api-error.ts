export interface FieldError {
  readonly field: string;
  readonly error: string;
}

/** An error of the API: the sentences of its error envelope, and its status. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly status: number;
  readonly code: string;
  readonly fields: readonly FieldError[];
  readonly requestId: string | null;
  /** In seconds. */
  readonly retryAfter: number | null;

  constructor(response: Response, body: unknown) {
    const { error, meta } = (isObject(body) ? body : {}) as Partial<ErrorBody>;
    super(error?.message ?? `The service responded with ${response.status}.`);
    this.status = response.status;
    this.code = error?.code ?? 'UNKNOWN';
    this.fields = Array.isArray(error?.details) ? error.details.filter(isFieldError) : [];
    this.requestId = meta?.request_id ?? response.headers.get('X-Request-ID');
    this.retryAfter = Number(response.headers.get('Retry-After')) || null;
  }
}

interface ErrorBody {
  error: { code: string; message: string; details: unknown };
  meta: { request_id: string };
}

/** The service could not be reached, or a proxy responded that it could not. */
export class UnreachableError extends Error {
  override name = 'UnreachableError';

  constructor(cause?: unknown) {
    super('Meterbook is unreachable.', { cause });
  }
}

/**
 * The session has ended, so the request was not sent. Sent without credentials, it would be
 * somebody else's.
 */
export class SessionEndedError extends Error {
  override name = 'SessionEndedError';

  constructor() {
    super('Your session has ended. Nothing was changed; sign in and try again.');
  }
}

/** Whether the same request can succeed later. */
export const isTemporary = (error: unknown): boolean =>
  error instanceof UnreachableError || (error instanceof ApiError && (error.status === 429 || error.status === 503));

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const isFieldError = (value: unknown): value is FieldError =>
  isObject(value) && typeof (value as FieldError).field === 'string' && typeof (value as FieldError).error === 'string';
