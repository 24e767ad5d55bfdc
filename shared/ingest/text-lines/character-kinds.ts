/** Kinds of characters in lines of a log, those of words last; those beyond ASCII are `other`. */
export const kind = { other: 0, blank: 1, digit: 2, upper: 3, lower: 4, underscore: 5 } as const;

const kinds = new Uint8Array(128);
for (let code = 0; code < 128; code += 1) {
  const character = String.fromCharCode(code);
  if (character === ' ' || character === '\t') kinds[code] = kind.blank;
  else if (character >= '0' && character <= '9') kinds[code] = kind.digit;
  else if (character >= 'A' && character <= 'Z') kinds[code] = kind.upper;
  else if (character >= 'a' && character <= 'z') kinds[code] = kind.lower;
  else if (character === '_') kinds[code] = kind.underscore;
}

/** The kind of the character at a position; `other` behind the end. */
export function kindAt(line: string, at: number): number {
  const code = line.charCodeAt(at);
  return code < 128 ? (kinds[code] as number) : kind.other;
}

export const isWordCharacter = (line: string, at: number): boolean => kindAt(line, at) >= kind.digit;

/** Behind the escape character. */
const colour = /^\[[\d;]{0,12}m/;

/** The length of the sequence at a position that sets a terminal's colour; 0 if there is none. */
export function colourLength(line: string, at: number): number {
  const found = line.charCodeAt(at) === 0x1b ? colour.exec(line.slice(at + 1, at + 16)) : null;
  return found ? 1 + found[0].length : 0;
}
