import { hkdfSync } from 'node:crypto';

/**
 * The uses of the service's secret. To change a label has the effect of a new secret for this use.
 */
const labels = {
  /** Encrypts batches of entries between web and worker. */
  spool: 'ingest spool',
  /** Encrypts announced results of jobs. */
  results: 'job results',
  /** Encrypts stored responses to POSTs with an `Idempotency-Key`. */
  responses: 'idempotency responses',
  /** Digests of these requests, which can contain passwords. */
  fingerprints: 'idempotency fingerprints',
  /**
   * API keys and tokens of password links that such a POST creates: every attempt creates the same.
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
