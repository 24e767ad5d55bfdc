/**
 * The prefix of a line that a container runtime writes (CRI):
 * `2026-05-01T12:00:00.123456789Z stdout F text`.
 */
export interface CriPrefix {
  /** Epoch milliseconds. */
  readonly time: number;
  readonly stream: 'stdout' | 'stderr';
  /** Whether the text continues in the next line of the stream. */
  readonly isPart: boolean;
  /** Where the text begins. */
  readonly textStart: number;
}

const prefix =
  /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d) (stdout|stderr) ([PF])(?::[\w.:-]*)?(?: |$)/;
/** The longest prefix has a few tags. */
const maxPrefixBytes = 128;
/** `yyyy-MM-ddThh:mm:ss.123456789+02:00` */
const maxTimeBytes = 35;
/** `yyyy-MM-ddThh:mm:ssZ stdout F` */
const leastPrefixBytes = 29;
const [dash, letterT, blank, letterS] = Buffer.from('-T s');

/** @returns undefined if the line between the two positions has no such prefix. */
export function readCriPrefix(bytes: Buffer, start: number, end: number): CriPrefix | undefined {
  // Nearly all other lines differ in these bytes.
  if (end - start < leastPrefixBytes || bytes[start + 4] !== dash || bytes[start + 10] !== letterT) return undefined;
  let afterTime = start + 19;
  while (afterTime < start + maxTimeBytes && bytes[afterTime] !== blank) afterTime += 1;
  if (bytes[afterTime] !== blank || bytes[afterTime + 1] !== letterS) return undefined;
  const found = prefix.exec(bytes.toString('latin1', start, Math.min(end, start + maxPrefixBytes)));
  if (!found) return undefined;
  const [whole, seconds, fraction = '0', zone, stream, tag] = found;
  const time = Date.parse(`${seconds}.${fraction.slice(0, 3)}${zone}`);
  if (Number.isNaN(time)) return undefined;
  return { time, stream: stream as CriPrefix['stream'], isPart: tag === 'P', textStart: start + whole.length };
}
