// Texts that cost a worker the most: in counting tokens, in scanning for personal data, or in both.
import { seededRandom } from '../../shared/seeded-random.ts';

interface TextShape {
  readonly name: string;
  /** @returns a text of at most so many bytes in UTF-8, and of nearly as many. */
  readonly make: (bytes: number) => string;
}

const base64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Repeats a text up to a length in bytes, without cutting it. */
const repeat =
  (unit: string) =>
  (bytes: number): string =>
    unit.repeat(Math.floor(bytes / Buffer.byteLength(unit)));

/**
 * Random characters of an alphabet whose characters have equally many bytes. The same text at every
 * call.
 */
const randomOf =
  (alphabet: readonly string[]) =>
  (bytes: number): string => {
    const random = seededRandom(23);
    const count = Math.floor(bytes / Buffer.byteLength(alphabet[0] ?? ' '));
    return Array.from({ length: count }, () => alphabet[Math.floor(random() * alphabet.length)]).join('');
  };

const codePoints = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index));

/** Byte-pair encoding is slow for long words; a word has no border where a token may end. */
const tokenShapes: readonly TextShape[] = [
  { name: 'one letter', make: repeat('a') },
  { name: 'one letter in words of 255', make: repeat(`${'a'.repeat(255)} `) },
  { name: 'upper and lower case', make: repeat('Aa') },
  { name: 'spaces', make: repeat(' ') },
  // The rule for long runs does not know the wide space, so that all of the text is one word.
  { name: 'two kinds of spaces', make: repeat('\u3000 ') },
  { name: 'spaces and line breaks', make: repeat(' \n') },
  { name: 'line breaks', make: repeat('\n') },
  { name: 'digits', make: repeat('1234567890') },
  { name: 'a digit and a letter', make: repeat('1a') },
  { name: 'punctuation', make: repeat('!') },
  { name: 'random punctuation', make: randomOf('!"#$%&()*+,-.:;<=>?@[]^_`{|}~'.split('')) },
  { name: 'apostrophes', make: repeat("'s") },
  { name: 'base64', make: randomOf(base64.split('')) },
  { name: 'hexadecimal', make: randomOf('0123456789abcdef'.split('')) },
  { name: 'random letters', make: randomOf('abcdefghijklmnopqrstuvwxyz'.split('')) },
  { name: 'accents', make: repeat('\u0301') },
  { name: 'ideographs', make: randomOf(codePoints(0x4e00, 0x9fff)) },
  { name: 'Hangul', make: randomOf(codePoints(0xac00, 0xd7a3)) },
  { name: 'emoji', make: randomOf(codePoints(0x1f300, 0x1f5ff)) },
  { name: 'private use', make: randomOf(codePoints(0xe000, 0xf8ff)) },
  { name: 'zero-width joiners', make: repeat('\u200d') },
  { name: 'half surrogates', make: (bytes) => '\ud800'.repeat(Math.floor(bytes / 3)) },
  { name: 'special tokens', make: repeat('<|endoftext|>') },
];

/** Each has candidates for personal data as close to each other as possible. */
const scanShapes: readonly TextShape[] = [
  { name: 'parts of an address', make: repeat('a.') },
  { name: 'at signs', make: repeat('a@') },
  { name: 'addresses', make: repeat('joe@example.com,') },
  { name: 'digits and hyphens', make: repeat('1-') },
  { name: 'card numbers', make: repeat('4111 1111 1111 1111 ') },
  { name: 'national ids with keywords', make: repeat('ssn=123456789 ') },
  { name: 'national ids before keywords', make: repeat('123456789 national id card ') },
  { name: 'percent escapes', make: repeat('%2540') },
  { name: 'full-width digits', make: repeat('４１１１') },
  { name: 'zero-width spaces between digits', make: repeat('4\u200b1\u200b1\u200b1\u00ad') },
];

export const workerShapes: readonly TextShape[] = [...tokenShapes, ...scanShapes];

/**
 * The batches that made calls of notebooks fail: entries of 256 KiB, the limit of a message, as
 * many as fit into the 5 MiB of a request.
 */
export function makeHostileBatch({ make }: TextShape): { message: string }[] {
  return Array.from({ length: 19 }, () => ({ message: make(256 * 1024) }));
}
