import { levelWords } from '../../usage/level-class.ts';
import { colourLength, isWordCharacter, kind, kindAt } from './character-kinds.ts';

/** Characters of a line in which its level is. */
const searchedCharacters = 120;

const words: readonly string[] = Object.values(levelWords).flat();
const allWords = new Set(words);
const namesInCapitals = new Set(words.filter((word) => /^[a-z]/.test(word)).map((word) => word.toUpperCase()));
const shortest = 3;
const longest = Math.max(...words.map(({ length }) => length));

const brackets: Readonly<Record<string, string>> = { '[': ']', '(': ')', '<': '>' };
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
 * Reads the first level word at the start of a line: in capitals, in brackets, as `level=`, or as
 * the letter of klog and Android.
 * @returns the word as it is written, or the word that the letter stands for.
 */
export function readLevel(line: string): string | undefined {
  if (mayBeOfAndroid(line)) {
    const [, ...found] = android.exec(line.slice(0, searchedCharacters)) ?? [];
    const letter = found.find((group) => group !== undefined);
    if (letter !== undefined) return letters[letter];
  }
  const end = Math.min(line.length, searchedCharacters);
  let start = -1;
  /** The kinds of the characters of the word, as bits. */
  let kinds = 0;
  for (let at = 0; at < end; at += 1) {
    const now = kindAt(line, at);
    if (now >= kind.digit) {
      if (start === -1) start = at;
      kinds |= 1 << now;
      continue;
    }
    const level = start === -1 ? undefined : readWord(line, start, at, kinds);
    if (level !== undefined) return level;
    start = -1;
    kinds = 0;
    at += Math.max(0, colourLength(line, at) - 1);
  }
  // The limit can be within a word.
  return start === -1 || isWordCharacter(line, end) ? undefined : readWord(line, start, end, kinds);
}

const capitals = 1 << kind.upper;
const smallLetters = 1 << kind.lower;
const ofKlog = (1 << kind.upper) | (1 << kind.digit);

function readWord(line: string, start: number, end: number, kinds: number): string | undefined {
  const length = end - start;
  if (length < shortest || length > longest) return undefined;
  if (kinds === capitals) {
    const word = line.slice(start, end);
    return namesInCapitals.has(word) ? word : undefined;
  }
  if (kinds === smallLetters || kinds === (capitals | smallLetters)) {
    if (length === 5 && line.charAt(end) === '=') return readValue(line, start, end);
    if (!isInBrackets(line, start, end)) return undefined;
    const word = line.slice(start, end);
    return allWords.has(word.toLowerCase()) ? word : undefined;
  }
  const letter = kinds === ofKlog && length === 5 ? klog.exec(line.slice(start, start + 15))?.[1] : undefined;
  return letter === undefined ? undefined : letters[letter];
}

/** Reads the value of `level=`, with or without quotes. */
function readValue(line: string, start: number, end: number): string | undefined {
  const text = line.slice(start, Math.min(end + longest + 4, searchedCharacters));
  const value = /^level=["']?(\w+)/i.exec(text)?.[1];
  return value !== undefined && allWords.has(value.toLowerCase()) ? value : undefined;
}

/** Whether the word fills brackets, alone, or behind the name of a module: `[core:error]`. */
function isInBrackets(line: string, start: number, end: number): boolean {
  const before = line.charAt(start - 1);
  const opening = before === ' ' ? line.charAt(start - 2) : before;
  if (opening !== ':' && opening !== '[' && opening !== '(' && opening !== '<') return false;
  let after = end;
  while (after < end + maxPadding && kindAt(line, after) === kind.blank) after += 1;
  const closing = line.charAt(after);
  return opening === ':' ? before === ':' && closing === ']' : closing === brackets[opening];
}
