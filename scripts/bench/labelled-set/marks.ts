// Personal data is marked in a line while it is composed, by characters of the private use area.
// A whole line can therefore be escaped as its system does, and the marks still delimit the data.

export const KINDS = ['email', 'payment_card', 'national_id'] as const;
export type Kind = (typeof KINDS)[number];

/** Offsets are in UTF-16 code units, half open, as in findings of the scanner. */
export interface Label {
  readonly type: Kind;
  readonly start: number;
  readonly end: number;
}

export interface LabelledLine {
  /** The family of systems that writes such lines, as `mail`. */
  readonly family: string;
  readonly text: string;
  readonly labels: readonly Label[];
}

const END = '\uE0EF';
const startOf = (kind: Kind): string => String.fromCharCode(0xe0e0 + KINDS.indexOf(kind));
const isMark = (character: string): boolean => character >= '\uE0E0' && character <= END;

/** Marks `text` as personal data. */
export function mark(kind: Kind, text: string): string {
  return startOf(kind) + text + END;
}

/** Removes the marks of a composed line and returns what they delimit. */
export function readMarks(composed: string): { text: string; labels: Label[] } {
  const labels: Label[] = [];
  let text = '';
  let open: { type: Kind; start: number } | undefined;
  for (const character of composed) {
    if (!isMark(character)) {
      text += character;
    } else if (character === END) {
      if (!open) throw new Error(`A mark ends that did not begin: ${text}`);
      labels.push({ ...open, end: text.length });
      open = undefined;
    } else {
      if (open) throw new Error(`A mark begins within another: ${text}`);
      open = { type: KINDS[character.charCodeAt(0) - 0xe0e0] as Kind, start: text.length };
    }
  }
  if (open) throw new Error(`A mark does not end: ${text}`);
  return { text, labels };
}

/** Applies `escape` to the text between marks. */
export function escapeAround(composed: string, escape: (text: string) => string): string {
  return composed.replace(/[^\uE0E0-\uE0EF]+/g, escape);
}
