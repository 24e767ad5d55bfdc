// Lines that container runtimes write, and records of them: those of Docker's json-file driver, and
// those of log shippers that name the part of a line.
import type { ByteRange } from '../../json/json-scanner.ts';
import type { JsonObject } from '../../json/parse-json.ts';

const criPrefix =
  /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d) (stdout|stderr) ([PF])(?::\S*)?(?: |$)/;
/** The longest prefix has a few tags. */
const maxPrefixLength = 128;

export type CriPrefix = NonNullable<ReturnType<typeof readCriPrefix>>;

/**
 * Reads the prefix of a line that a container runtime writes (CRI):
 * `2026-05-01T12:00:00.123456789Z stdout F text`. A part continues in the next line of its stream.
 * @returns its time in epoch milliseconds; undefined if the line has no such prefix.
 */
export function readCriPrefix(line: string) {
  const found = criPrefix.exec(line.slice(0, maxPrefixLength));
  if (!found) return undefined;
  const [whole, seconds, fraction = '0', zone, stream, tag] = found;
  const time = Date.parse(`${seconds}.${fraction.slice(0, 3)}${zone}`);
  if (Number.isNaN(time)) return undefined;
  return { time, stream: stream as 'stdout' | 'stderr', isPart: tag === 'P', length: whole.length };
}

interface ContainerRecord {
  readonly stream: string | undefined;
  /** The text of the line, or of a part of it. */
  readonly text: string;
  /** The name of the field with the text. */
  readonly textName: string;
  /** `whole`: the text ends the line. `byLineEnd`, of Docker: if it has a line end. */
  readonly part: 'open' | 'whole' | 'byLineEnd';
  /** Equal for the parts of one line. */
  readonly key: string;
}

/** Fields of which a record of Docker has no others. */
const dockerFields = new Set(['log', 'stream', 'time', 'attrs']);
/** Fluent Bit and Fluentd name the part of a line in one of these. */
const tagNames = ['_p', 'logtag'];
const textNames = ['log', 'message', 'msg'];
/** Fields that differ between the parts of a line. */
const ownFields = new Set([...tagNames, ...textNames, 'time', 'date', '@timestamp', 'timestamp']);

/** Fields of the prefix of a line, which are not attributes. */
export const prefixFields = ['stream', ...tagNames];

/** @returns undefined for any other record. */
export function containerRecordOf(record: JsonObject): ContainerRecord | undefined {
  if (!prefixFields.some((name) => name in record)) return undefined;
  const stream = typeof record['stream'] === 'string' ? record['stream'] : undefined;
  const tag = tagNames.map((name) => record[name]).find((value) => typeof value === 'string');
  if (typeof tag === 'string' && /^[PF](?::|$)/.test(tag)) {
    const textName = textNames.find((name) => typeof record[name] === 'string');
    if (textName === undefined) return undefined;
    const text = record[textName] as string;
    const others = Object.entries(record).filter(([name]) => !ownFields.has(name));
    return { stream, text, textName, part: tag.startsWith('P') ? 'open' : 'whole', key: JSON.stringify(others) };
  }
  const { log, time } = record;
  if (stream === undefined || typeof log !== 'string' || typeof time !== 'string') return undefined;
  if (!Object.keys(record).every((name) => dockerFields.has(name))) return undefined;
  return { stream, text: log, textName: 'log', part: 'byLineEnd', key: `docker ${stream}` };
}

/** Bytes of a line that is joined from its parts; what follows is an entry of its own. */
export const maxPartsBytes = 256 * 1024;

/** An entry of a body in JSON, before the rules say whether it is a log entry. */
export type ParsedEntry = ByteRange &
  ({ value: unknown; text: string } | { describeError: () => string; isJson: boolean });

export type ParsedRecord = Extract<ParsedEntry, { value: unknown }>;

interface OpenLine {
  readonly first: ParsedRecord;
  readonly textName: string;
  texts: string[];
  bytes: number;
}

/**
 * Creates functions that join the records of container logs that are the parts of one line.
 * @param readEndedStreams reads of which streams a record of Docker in the request has a line end.
 * In others, a missing line end means nothing.
 */
export function createRecordJoiner(readEndedStreams: () => Promise<ReadonlySet<string>>) {
  /** By the key of their parts. */
  const lines = new Map<string, OpenLine>();
  let endedStreams: ReadonlySet<string> | undefined;
  const isPart = async ({ part, text, stream = '' }: ContainerRecord) => {
    if (part !== 'byLineEnd') return part === 'open';
    if (text.endsWith('\n')) return false;
    endedStreams ??= await readEndedStreams();
    return endedStreams.has(stream);
  };
  return {
    /** @returns the entries that are complete now. */
    add: async (parsed: ParsedRecord, record: ContainerRecord): Promise<readonly ParsedEntry[]> => {
      const isOpen = await isPart(record);
      const bytes = Buffer.byteLength(record.text);
      const open = lines.get(record.key);
      const isFull = open !== undefined && open.bytes + bytes > maxPartsBytes;
      const line = !open || isFull ? { first: parsed, textName: record.textName, texts: [], bytes: 0 } : open;
      line.texts.push(record.text);
      line.bytes += bytes;
      if (isOpen) lines.set(record.key, line);
      else lines.delete(record.key);
      return [...(isFull ? [joined(open)] : []), ...(isOpen ? [] : [joined(line)])];
    },
    /** @returns the lines whose end is not part of the request. */
    rest: (): ParsedEntry[] => Array.from(lines.values(), joined),
  };
}

function joined({ first, textName, texts }: OpenLine): ParsedRecord {
  if (texts.length === 1) return first;
  const value = { ...(first.value as object), [textName]: texts.join('') };
  return { ...first, value, text: JSON.stringify(value) };
}
