import type { Finding } from './scan-personal-data.ts';

/** What stands in the place of a finding: `[EMAIL]`, `[NATIONAL_ID:IT]`, `[PAYMENT_CARD]`. */
function placeholder(finding: Finding): string {
  if (finding.type === 'email') return '[EMAIL]';
  if (finding.type === 'payment_card') return '[PAYMENT_CARD]';
  return finding.country === undefined ? '[NATIONAL_ID]' : `[NATIONAL_ID:${finding.country}]`;
}

/** The text with every finding replaced; `findings` in the order and without the overlaps that a scanner gives them. */
export function redact(text: string, findings: readonly Finding[]): string {
  if (findings.length === 0) return text;
  let redacted = '';
  let from = 0;
  for (const finding of findings) {
    redacted += text.slice(from, finding.start) + placeholder(finding);
    from = finding.end;
  }
  return redacted + text.slice(from);
}

/**
 * The first `maxCharacters` code points of the redacted text. It reads no more of the text than it returns; a placeholder
 * at the end is cut like text, a surrogate pair never.
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
    if (left <= 0) return preview;
    const mark = placeholder(finding).slice(0, left);
    preview += mark;
    left -= mark.length;
    from = finding.end;
  }
  return left <= 0 ? preview : preview + text.slice(from, firstCodePoints(text, from, text.length, left).end);
}

const highSurrogate = /[\ud800-\udbff]/;

/** Where at most `most` code points of text[from, to) end, and how many there are. */
function firstCodePoints(text: string, from: number, to: number, most: number): { end: number; count: number } {
  const units = text.slice(from, Math.min(to, from + most));
  // Nearly always every code point is one unit.
  if (!highSurrogate.test(units)) return { end: from + units.length, count: units.length };
  let end = from;
  let count = 0;
  while (end < to && count < most) {
    const code = text.charCodeAt(end);
    const next = end + 1 < to ? text.charCodeAt(end + 1) : 0;
    end += code >= 0xd800 && code < 0xdc00 && next >= 0xdc00 && next < 0xe000 ? 2 : 1;
    count++;
  }
  return { end, count };
}
