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
  readonly length: number;
}

const prefix =
  /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d) (stdout|stderr) ([PF])(?::\S*)?(?: |$)/;
/** The longest prefix has a few tags. */
const maxLength = 128;

/** @returns undefined if the line has no such prefix. */
export function readCriPrefix(line: string): CriPrefix | undefined {
  const [whole, seconds, fraction = '0', zone, stream, tag] = prefix.exec(line.slice(0, maxLength)) ?? [];
  if (whole === undefined) return undefined;
  const time = Date.parse(`${seconds}.${fraction.slice(0, 3)}${zone}`);
  if (Number.isNaN(time)) return undefined;
  return { time, stream: stream as CriPrefix['stream'], isPart: tag === 'P', length: whole.length };
}
