// Records of container logs in JSON: those of Docker's json-file driver, and those of log shippers
// that name the part of a line.

type JsonObject = Readonly<Record<string, unknown>>;

export interface ContainerRecord {
  readonly stream: string | undefined;
  /** The text of the line, or of a part of it. */
  readonly text: string;
  /** The name of the field with the text. */
  readonly textName: string;
  /**
   * `whole`: the text ends the line. `byLineEnd`: a line end in the text tells that, as in Docker.
   */
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
export const maxJoinedBytes = 256 * 1024;
