import { hkdfSync } from 'node:crypto';

/** The label of each use of the service's secret. A changed label gives its use another key. */
const labels = {
  /** Encrypts accepted entries until a worker has processed them. */
  entries: 'log entries',
  /** Encrypts the job results that are announced to waiting requests. */
  results: 'job results',
  /** Encrypts stored responses to POSTs with an `Idempotency-Key`. */
  responses: 'idempotency responses',
  /**
   * Makes keyed digests of POSTs with an `Idempotency-Key`, because these requests can contain
   * passwords.
   */
  fingerprints: 'idempotency fingerprints',
  /**
   * Derives the API keys and the tokens of password links that a POST with an `Idempotency-Key`
   * creates, so that each attempt creates the same ones.
   */
  operations: 'secrets of operations',
} as const;

/** A key of 32 bytes for each use. None of them can be computed from the others. */
export type ServiceKeys = Readonly<Record<keyof typeof labels, Buffer>>;

export function deriveServiceKeys(secret: Buffer): ServiceKeys {
  const keys = Object.entries(labels).map(([use, label]) => [
    use,
    Buffer.from(hkdfSync('sha256', secret, '', label, 32)),
  ]);
  return Object.freeze(Object.fromEntries(keys) as Record<keyof typeof labels, Buffer>);
}
