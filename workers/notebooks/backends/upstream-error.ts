interface UpstreamFailure {
  /** A sentence for callers: sanitized, on one line, of limited length. */
  reason: string;
  /** True if another attempt can succeed. */
  retryable: boolean;
  /** Minimum time before another attempt, if the backend sent one. */
  retryAfterMs?: number;
  /** True if the backend does not work. The circuit breaker counts such errors. */
  outage?: boolean;
  /** True if the backend rejected the request, so that the request had no effect. */
  refused?: boolean;
  /** True if the backend rejected the configured token. */
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

/** Waits for a removal. A notebook that does not exist counts as removed. */
export async function ignoreAbsent(removal: Promise<void>): Promise<void> {
  try {
    await removal;
  } catch (error) {
    if (!(error instanceof NotebookAbsent)) throw error;
  }
}
