import type { ByteRange } from '../../json/json-scanner.ts';
import { type ContainerRecord, containerRecordOf, maxJoinedBytes } from '../container-logs/container-record.ts';
import { isObject } from './envelopes.ts';

/** An entry of a body in JSON, before the rules say whether it is a log entry. */
export type ParsedEntry = ByteRange &
  ({ value: unknown; text: string } | { describeError: () => string; isJson: boolean });

type ParsedRecord = Extract<ParsedEntry, { value: unknown }>;

interface OpenLine {
  readonly first: ParsedRecord;
  readonly textName: string;
  texts: string[];
  bytes: number;
}

/** Joins the records of container logs that are the parts of one line. */
export class JoinedRecords {
  /** By the key of their parts. */
  readonly #open = new Map<string, OpenLine>();
  readonly #readEndedStreams: () => Promise<ReadonlySet<string>>;
  #endedStreams: ReadonlySet<string> | undefined;

  /**
   * @param readEndedStreams reads of which streams a record of Docker in the request has a line
   * end. In others, a missing line end means nothing.
   */
  constructor(readEndedStreams: () => Promise<ReadonlySet<string>>) {
    this.#readEndedStreams = readEndedStreams;
  }

  /** @returns the entries that are complete now. */
  async add(parsed: ParsedRecord): Promise<readonly ParsedEntry[]> {
    const record = isObject(parsed.value) ? containerRecordOf(parsed.value) : undefined;
    if (!record) return [parsed];
    const isOpen = await this.#isOpen(record);
    const bytes = Buffer.byteLength(record.text);
    const complete: ParsedEntry[] = [];
    let line = this.#open.get(record.key);
    if (line && line.bytes + bytes > maxJoinedBytes) {
      complete.push(joined(line));
      line = undefined;
    }
    if (!line && !isOpen) {
      this.#open.delete(record.key);
      return [...complete, parsed];
    }
    line ??= { first: parsed, textName: record.textName, texts: [], bytes: 0 };
    line.texts.push(record.text);
    line.bytes += bytes;
    if (isOpen) this.#open.set(record.key, line);
    else {
      this.#open.delete(record.key);
      complete.push(joined(line));
    }
    return complete;
  }

  /** @returns the lines whose end is not part of the request. */
  rest(): ParsedEntry[] {
    return Array.from(this.#open.values(), joined);
  }

  async #isOpen({ part, text, stream = '' }: ContainerRecord): Promise<boolean> {
    if (part !== 'byLineEnd') return part === 'open';
    if (text.endsWith('\n')) return false;
    this.#endedStreams ??= await this.#readEndedStreams();
    return this.#endedStreams.has(stream);
  }
}

function joined({ first, textName, texts }: OpenLine): ParsedRecord {
  if (texts.length === 1) return first;
  const value = { ...(first.value as object), [textName]: texts.join('') };
  return { ...first, value, text: JSON.stringify(value) };
}
