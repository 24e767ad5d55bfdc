import type { Finding } from './finding.ts';

/** The text that replaces a finding: `[EMAIL]`, `[NATIONAL_ID:IT]`, `[PAYMENT_CARD]`. */
function placeholderOf(finding: Finding): string {
  if (finding.type === 'email') return '[EMAIL]';
  if (finding.type === 'payment_card') return '[PAYMENT_CARD]';
  return finding.country === undefined ? '[NATIONAL_ID]' : `[NATIONAL_ID:${finding.country}]`;
}

/**
 * Returns the first `maxCharacters` code points of the text with a placeholder for every finding.
 * `findings` must be in order and must not overlap, like the result of a scanner. The time depends
 * on `maxCharacters`, not on the length of the text. The limit can cut a placeholder, but never a
 * surrogate pair.
 */
export function redactedPreview(text: string, findings: readonly Finding[], maxCharacters: number): string {
  let preview = '';
  let left = maxCharacters;
  let from = 0;
  for (const finding of findings) {
    if (left <= 0) return preview;
    const before = firstCodePoints(text, from, finding.start, left);
    preview += text.slice(from, before.end);
    left -= before.count;
    const placeholder = placeholderOf(finding).slice(0, left);
    preview += placeholder;
    left -= placeholder.length;
    from = finding.end;
  }
  return preview + text.slice(from, firstCodePoints(text, from, text.length, left).end);
}

const highSurrogate = /[\ud800-\udbff]/;

/**
 * Finds the end of the first `max` code points of text[from, to), or of all if there are fewer, and
 * counts them.
 */
function firstCodePoints(text: string, from: number, to: number, max: number): { end: number; count: number } {
  const units = text.slice(from, Math.min(to, from + max));
  // Nearly every text has one code unit per code point.
  if (!highSurrogate.test(units)) return { end: from + units.length, count: units.length };
  let end = from;
  let count = 0;
  while (end < to && count < max) {
    const code = text.charCodeAt(end);
    const next = end + 1 < to ? text.charCodeAt(end + 1) : 0;
    end += code >= 0xd800 && code < 0xdc00 && next >= 0xdc00 && next < 0xe000 ? 2 : 1;
    count++;
  }
  return { end, count };
}
