import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Encrypts by AES-256-GCM: 12 bytes of nonce, 16 bytes of tag, ciphertext. */
const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;
export const encryptionBytes = nonceBytes + tagBytes;

/**
 * @param context is authenticated with the content: it can only be opened with the same context.
 */
export function encrypt(key: Buffer, content: string | Uint8Array, context: string): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(context));
  const ciphertext = typeof content === 'string' ? cipher.update(content, 'utf8') : cipher.update(content);
  // The tag exists once the cipher is final; GCM adds no last block.
  cipher.final();
  return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]);
}

/** @throws Error when the key or the context differs, or the bytes were changed. */
export function decrypt(key: Uint8Array, encrypted: Uint8Array, context: string): Buffer {
  const decipher = createDecipheriv(algorithm, key, encrypted.subarray(0, nonceBytes))
    .setAAD(Buffer.from(context))
    .setAuthTag(encrypted.subarray(nonceBytes, nonceBytes + tagBytes));
  const content = decipher.update(encrypted.subarray(nonceBytes + tagBytes));
  decipher.final();
  return content;
}

/** Tries the keys one after the other. @throws Error as `decrypt` does, if none of them fits. */
export function decryptByAny(keys: readonly Uint8Array[], encrypted: Uint8Array, context: string): Buffer {
  for (const key of keys.slice(0, -1)) {
    try {
      return decrypt(key, encrypted, context);
    } catch {
      // The next key can fit.
    }
  }
  return decrypt(keys.at(-1) as Uint8Array, encrypted, context);
}

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
