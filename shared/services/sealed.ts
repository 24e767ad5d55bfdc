import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** Sealed text consists of 12 bytes of nonce, 16 bytes of tag, and the ciphertext. */
const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/** @param context is authenticated with the text, so that the text can only be opened with the same context. */
export function seal(key: Buffer, text: string, context: string): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(context));
  const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]);
}

/** @throws Error if the key or the context differs, or if the bytes were changed. */
export function openSealed(key: Buffer, sealed: Buffer, context: string): string {
  const decipher = createDecipheriv(algorithm, key, sealed.subarray(0, nonceBytes))
    .setAAD(Buffer.from(context))
    .setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes));
  const text = Buffer.concat([decipher.update(sealed.subarray(nonceBytes + tagBytes)), decipher.final()]);
  return text.toString('utf8');
}
