import { levelWords } from '../../scenarios/pipeline.ts';

/** Characters of a line in which its level is. */
const searchedCharacters = 120;
/** The most blanks between a word and its bracket. */
const maxPadding = 8;

const words: readonly string[] = Object.values(levelWords).flat();
const allWords = new Set(words);
const inCapitals = words.filter((word) => /^[a-z]/.test(word)).map((word) => word.toUpperCase());
const closings: Readonly<Record<string, string>> = { '[': ']', '(': ')', '<': '>' };

const letterWords = ['verbose', 'debug', 'info', 'warn', 'error', 'fatal'];
/** `03-17 16:13:38.811  1702  2395 D WindowManager: …`, and `… D/WindowManager( 1702): …`. */
const android =
  /^(?:(?:\d{4}-)?\d\d-\d\d \d\d:\d\d:\d\d\.\d{3,6}(?:(?: {1,8}\d{1,10}){2,3} {1,8}([VDIWEFA]) | {1,8}([VDIWEFA])\/)|([VDIWEFA])\/[^ (]{1,64} {0,8}\( {0,8}\d{1,10}\))/;

const padding = `[ \\t]{0,${maxPadding - 1}}`;
/** A word begins behind the colour of a terminal too. */
const wordStart = '(?:(?<!\\w)|(?<=\\u001b\\[[\\d;]{0,12}m))';
const forms = [
  `${wordStart}(?<capitals>${inCapitals.join('|')})(?!\\w)`,
  // `I0512 23:58:22.431545` of klog.
  `${wordStart}(?<letter>[IWEF])\\d{4} \\d\\d:\\d\\d:\\d\\d\\.`,
  // Alone in brackets, or behind the name of a module: `[core:error]`.
  `(?<opening>[[(<]${padding}|:)(?<inBrackets>[A-Za-z_]{3,13})${padding}(?<closing>[\\])>])`,
  `(?<!\\w)(?:[Ll][Ee][Vv][Ee][Ll](?:=|":)) ?["']?(?<value>\\w+)`,
];
/** Most characters of a line are none that a level begins with. */
const level = new RegExp(`(?=[A-Z[(<:l])(?:${forms.join('|')})`, 'g');

/** An assertion, A, is fatal too. */
const wordOf = (letter: string) => letterWords.find((word) => word.startsWith(letter.toLowerCase())) ?? 'fatal';

/**
 * Reads the first level word at the start of a line: in capitals, in brackets, as `level=` or in
 * JSON, or as the letter of klog and Android.
 * @returns the word as it is written, or the word that the letter abbreviates.
 */
export function readLevel(line: string): string | undefined {
  const start = line.slice(0, searchedCharacters + maxPadding + 1);
  const ofAndroid = android.exec(start);
  const letter = ofAndroid?.slice(1).find((group) => group !== undefined);
  if (letter !== undefined) return wordOf(letter);
  level.lastIndex = 0;
  for (let found = level.exec(start); found; found = level.exec(start)) {
    const { capitals, letter: ofKlog, opening = '', inBrackets, closing, value } = found.groups ?? {};
    if (ofKlog !== undefined) return wordOf(ofKlog);
    const word = capitals ?? inBrackets ?? value ?? '';
    const end = found.index + found[0].lastIndexOf(word) + word.length;
    const isPaired = inBrackets === undefined || opening === ':' || closings[opening.charAt(0)] === closing;
    if (end <= searchedCharacters && isPaired && allWords.has(word.toLowerCase())) return word;
    // A word in brackets can be followed by another one in the same text.
    level.lastIndex = found.index + 1;
  }
  return undefined;
}
