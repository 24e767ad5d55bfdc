import { hkdfSync, randomBytes } from 'node:crypto';

/** Determines the secrets that a POST with an `Idempotency-Key` creates. */
export interface OperationSeed {
  /** The same for every attempt, and unknown to callers. */
  readonly seed: Buffer;
}

/** Bytes of a new secret: random, unless each attempt of an operation must create the same. */
export function secretBytesOf(use: string, length: number, operation?: OperationSeed): Buffer {
  return operation ? Buffer.from(hkdfSync('sha256', operation.seed, '', use, length)) : randomBytes(length);
}
