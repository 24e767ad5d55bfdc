export interface UpstreamFailure {
  /** A sentence for callers: sanitized, on one line, of limited length. */
  reason: string;
  /** Another attempt may succeed. */
  retryable: boolean;
  /** Minimum time before that attempt, if the backend sent one. */
  retryAfterMs?: number;
  /** The backend does not work. Counted by the circuit breaker. */
  outage?: boolean;
  /** The backend rejected the request, so the request had no effect. */
  refused?: boolean;
  /** The backend rejected the configured token. */
  unauthorized?: boolean;
  cause?: unknown;
}

/** A failure of the backend. */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError';
  readonly retryable: boolean;
  readonly retryAfterMs: number;
  readonly outage: boolean;
  readonly refused: boolean;
  readonly unauthorized: boolean;

  constructor({ reason, retryable, retryAfterMs, outage, refused, unauthorized, cause }: UpstreamFailure) {
    super(reason, cause === undefined ? undefined : { cause });
    this.retryable = retryable;
    this.retryAfterMs = retryAfterMs ?? 0;
    this.outage = outage ?? false;
    this.refused = refused ?? false;
    this.unauthorized = unauthorized ?? false;
  }
}

/** The backend works, and the notebook does not exist. */
export class NotebookAbsent extends Error {
  override readonly name = 'NotebookAbsent';
}
