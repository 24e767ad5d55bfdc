import canonicalize from 'canonicalize';
import { sha256 } from '../crypto/sha256.ts';
import type { PriceBookFile } from './price-book-file.ts';
import { newestDay } from './price-evidence.ts';

/** `2026-10-01-0f3a5c7e9b1d`: the day of the newest evidence, and a digest of the content. */
export const versionForm = /^\d{4}-\d{2}-\d{2}-[0-9a-f]{12}$/;

const digestLength = 12;

/** The name of a version follows from its content, so that the same prices have the same name. */
export function versionOf(file: PriceBookFile): string {
  const digest = sha256(contentOf(file), 'hex').slice(0, digestLength);
  return `${newestDay(file.as_of) ?? '0000-00-00'}-${digest}`;
}

/** The content of a version as JSON, whatever order the fields have, and without a label. */
export function contentOf({ version: _label, ...content }: PriceBookFile): string {
  return canonicalize(content) as string;
}
