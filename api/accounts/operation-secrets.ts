import { createHmac, hkdfSync, randomBytes } from 'node:crypto';

/**
 * Random bytes of a new secret, at most 32.
 * @param operationId of a POST with an `Idempotency-Key`: every attempt of it generates the same bytes.
 */
export type GenerateSecret = (operationId?: string) => Buffer;

/** @param secret of the service: with it and the id of an operation, the bytes of that operation are known. */
export function createSecretGenerator(secret: Buffer, use: string, length: number): GenerateSecret {
  const seed = Buffer.from(hkdfSync('sha256', secret, '', use, 32));
  return (operationId) =>
    operationId === undefined
      ? randomBytes(length)
      : createHmac('sha256', seed).update(operationId).digest().subarray(0, length);
}
