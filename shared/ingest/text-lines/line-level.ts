import { levelWords } from '../../scenarios/pipeline.ts';
import { colourLength, isWordCharacter, kind, kindAt } from './character-kinds.ts';

/** Characters of a line in which its level is. */
const searchedCharacters = 120;

const words: readonly string[] = Object.values(levelWords).flat();
const allWords = new Set(words);
const namesInCapitals = new Set(words.filter((word) => /^[a-z]/.test(word)).map((word) => word.toUpperCase()));
const shortest = 3;
const longest = Math.max(...words.map(({ length }) => length));

/** The bracket that opens what another one closes. */
const openings: Readonly<Record<string, string>> = { ']': '[', ')': '(', '>': '<' };
const maxPadding = 8;

const letters: Readonly<Record<string, string>> = {
  V: 'verbose',
  D: 'debug',
  I: 'info',
  W: 'warn',
  E: 'error',
  F: 'fatal',
  A: 'fatal',
};
/** `I0512 23:58:22.431545`. */
const klog = /^([IWEF])\d{4} \d\d:\d\d:\d\d\./;
/** `03-17 16:13:38.811  1702  2395 D WindowManager: …`, and `… D/WindowManager( 1702): …`. */
const android =
  /^(?:(?:\d{4}-)?\d\d-\d\d \d\d:\d\d:\d\d\.\d{3,6}(?:(?: {1,8}\d{1,10}){2,3} {1,8}([VDIWEFA]) | {1,8}([VDIWEFA])\/)|([VDIWEFA])\/[^ (]{1,64} {0,8}\( {0,8}\d{1,10}\))/;

/** By the dot of the fraction, or the slash behind the letter. */
const mayBeOfAndroid = (line: string) =>
  (line.charAt(2) === '-' && line.charAt(14) === '.') ||
  (line.charAt(4) === '-' && line.charAt(19) === '.') ||
  line.charAt(1) === '/';

/**
 * Reads the first level word at the start of a line: in capitals, in brackets, as `level=` or in
 * JSON, or as the letter of klog and Android.
 * @returns the word as it is written, or the word that the letter abbreviates.
 */
export function readLevel(line: string): string | undefined {
  if (mayBeOfAndroid(line)) {
    const [, ...found] = android.exec(line.slice(0, searchedCharacters)) ?? [];
    const letter = found.find((group) => group !== undefined);
    if (letter !== undefined) return letters[letter];
  }
  const end = Math.min(line.length, searchedCharacters + maxPadding + 1);
  let wordStart = 0;
  for (let at = 0; at < end; at += 1) {
    const code = line.charCodeAt(at);
    const role = code < 128 ? roles[code] : 0;
    if (role === 0) continue;
    let level: string | undefined;
    if (role === roleOf.capital) {
      if (at !== wordStart && isWordCharacter(line, at - 1)) continue;
      const start = at;
      while (kindAt(line, at + 1) === kind.upper) at += 1;
      level = readCapitals(line, start, at + 1);
    } else if (role === roleOf.closing) level = readBrackets(line, at);
    else if (role === roleOf.equals) level = readValue(line, at);
    else {
      at += Math.max(0, colourLength(line, at) - 1);
      wordStart = at + 1;
    }
    if (level !== undefined) return level;
  }
  return undefined;
}

/** Characters that can begin a level, or end it. The others are skipped. */
const roleOf = { capital: 1, closing: 2, equals: 3, colour: 4 } as const;
const roles = new Uint8Array(128);
for (let code = 0; code < 128; code += 1) {
  const character = String.fromCharCode(code);
  if (kindAt(character, 0) === kind.upper) roles[code] = roleOf.capital;
  else if (Object.hasOwn(openings, character)) roles[code] = roleOf.closing;
  else if (character === '=' || character === ':') roles[code] = roleOf.equals;
  else if (character === '\u001b') roles[code] = roleOf.colour;
}

/** Reads a word that begins with capitals, which end at `end`. */
function readCapitals(line: string, start: number, end: number): string | undefined {
  if (end - start === 1 && kindAt(line, end) === kind.digit) {
    const letter = klog.exec(line.slice(start, start + 15))?.[1];
    return letter === undefined ? undefined : letters[letter];
  }
  if (end - start < shortest || end > searchedCharacters || isWordCharacter(line, end)) return undefined;
  const word = line.slice(start, end);
  return namesInCapitals.has(word) ? word : undefined;
}

/** Reads a word that fills brackets, alone, or behind the name of a module: `[core:error]`. */
function readBrackets(line: string, closing: number): string | undefined {
  let end = closing;
  while (end > closing - maxPadding && kindAt(line, end - 1) === kind.blank) end -= 1;
  let start = end;
  while (start > end - longest && kindAt(line, start - 1) > kind.digit) start -= 1;
  if (end - start < shortest || end > searchedCharacters) return undefined;
  let before = start - 1;
  if (line.charAt(before) !== ':') {
    while (before > start - maxPadding && kindAt(line, before) === kind.blank) before -= 1;
    if (line.charAt(before) !== openings[line.charAt(closing)]) return undefined;
  }
  const word = line.slice(start, end);
  return allWords.has(word.toLowerCase()) ? word : undefined;
}

/** Reads the value of `level=`, with or without quotes, or of `"level":`. */
function readValue(line: string, at: number): string | undefined {
  const isJson = line.charAt(at) === ':';
  if (isJson && line.charAt(at - 1) !== '"') return undefined;
  const end = isJson ? at - 1 : at;
  if (line.slice(end - 5, end).toLowerCase() !== 'level' || isWordCharacter(line, end - 6)) return undefined;
  const text = line.slice(at + 1, Math.min(at + 4 + longest, searchedCharacters));
  const value = /^ ?["']?(\w+)/.exec(text)?.[1];
  return value !== undefined && allWords.has(value.toLowerCase()) ? value : undefined;
}
