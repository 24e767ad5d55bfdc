export interface UpstreamFailure {
  /** In words that a caller may see: redacted, on one line, cut. */
  reason: string;
  /** Another attempt may succeed. */
  retryable: boolean;
  /** The least time before it, where the backend has named one. */
  retryAfterMs?: number;
  /** The backend is not working, as opposed to working and refusing: counted by the circuit breaker. */
  outage?: boolean;
  /** It has said that it did not do what it was asked, and will not. */
  refused?: boolean;
  /** Our access to the backend is not set up as it should be. */
  misconfigured?: boolean;
  cause?: unknown;
}

/** A backend that failed, and whether it is worth asking again. */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError';
  readonly retryable: boolean;
  readonly retryAfterMs: number;
  readonly outage: boolean;
  readonly refused: boolean;
  readonly misconfigured: boolean;

  constructor({ reason, retryable, retryAfterMs, outage, refused, misconfigured, cause }: UpstreamFailure) {
    super(reason, cause === undefined ? undefined : { cause });
    this.retryable = retryable;
    this.retryAfterMs = retryAfterMs ?? 0;
    this.outage = outage ?? false;
    this.refused = refused ?? false;
    this.misconfigured = misconfigured ?? false;
  }
}

/** The backend works and does not have the notebook. */
export class NotebookAbsent extends Error {
  override readonly name = 'NotebookAbsent';
}
