/** Bytes that show the encoding of a text. */
const sampleBytes = 1024;

/**
 * Recognises UTF-16 by its byte order mark, or by a zero in every second byte, as Latin letters
 * have it.
 */
export function utf16Of(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const pairs = Math.floor(Math.min(bytes.length, sampleBytes) / 2);
  let [first, second] = [0, 0];
  for (let at = 0; at < 2 * pairs; at += 2) {
    if (bytes[at] === 0) first += 1;
    if (bytes[at + 1] === 0) second += 1;
  }
  // Letters of other scripts can be among the Latin ones, and some of them have a zero first.
  const [most, fewest] = [pairs * 0.7, pairs * 0.05];
  if (pairs < 2) return null;
  if (second >= most && first <= fewest) return 'utf-16le';
  return first >= most && second <= fewest ? 'utf-16be' : null;
}
