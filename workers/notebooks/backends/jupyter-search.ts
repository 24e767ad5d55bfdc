import type { FolderEntry, JupyterContents } from './jupyter-contents.ts';
import type { BackendCall } from './notebook-backend.ts';
import { NotebookAbsent, UpstreamError } from './upstream-error.ts';

const mebibyte = 1024 * 1024;
/** Limits of one search. It begins in the nearest folders, with the newest files. */
const limits = { depth: 8, folders: 100, files: 500, bytes: 64 * mebibyte };
/** Files whose ids are remembered. */
const maxRemembered = 10_000;
/**
 * A file that could not be read this often, while the server responded to other requests, counts as
 * no notebook of ours.
 */
const maxFailures = 2;

interface Remembered {
  lastModified: string;
  id: string | undefined;
  failures: number;
}

interface SearchOptions {
  ids: ReadonlySet<string>;
  /** Folders to begin with. The root follows. */
  near: readonly string[];
  /** Files that were last changed before are not read. Epoch milliseconds. */
  notBefore?: number;
}

/** Finds notebooks by the id in their metadata. @returns the path of each id that was found. */
export type NotebookSearch = (options: SearchOptions, call: BackendCall) => Promise<Map<string, string>>;

/**
 * Searches the folders of a server, one search at a time. The id of a file is read once for each
 * time that the file was changed, so a repeated search costs little more than the lists of the
 * folders, and continues one that had no time left.
 * @param readId reads the id in the metadata of a notebook, if it has one.
 */
export function createNotebookSearch(
  contents: Pick<JupyterContents, 'listFolder'>,
  readId: (path: string, call: BackendCall) => Promise<string | undefined>,
): NotebookSearch {
  const remembered = new RememberedFiles();
  const idOf = (entry: FolderEntry, call: BackendCall) => remembered.idOf(entry, call, readId);
  let previous: Promise<unknown> = Promise.resolve();

  const search = async (
    { ids, near, notBefore = 0 }: SearchOptions,
    call: BackendCall,
    onResponse: () => void,
  ): Promise<Map<string, string>> => {
    const found = new Map<string, string>();
    const left = { files: limits.files, bytes: limits.bytes };
    const readOrRecall = async (entry: FolderEntry) => {
      const known = remembered.recall(entry);
      if (known && (known.failures === 0 || known.failures >= maxFailures)) return known.id;
      const size = entry.size ?? 0;
      if (Date.parse(entry.last_modified) < notBefore || left.files === 0 || size > left.bytes) return undefined;
      left.files -= 1;
      left.bytes -= size;
      return idOf(entry, call);
    };
    // The set grows while it is read.
    const folders = new Set([...near, '']);
    for (const folder of folders) {
      const entries = (await listOrSkip(contents, folder, call)).filter(({ name }) => !name.startsWith('.'));
      onResponse();
      for (const entry of entries.filter(({ type }) => type === 'notebook').sort(byTimeDescending)) {
        const id = await readOrRecall(entry);
        if (id === undefined || !ids.has(id) || found.has(id)) continue;
        found.set(id, entry.path);
        if (found.size === ids.size) return found;
      }
      for (const { type, path } of entries) {
        const isWithinLimits = folders.size < limits.folders && path.split('/').length <= limits.depth;
        if (type === 'directory' && isWithinLimits) folders.add(path);
      }
    }
    return found;
  };

  return async (options, call) => {
    let isHung = false;
    const turn = previous.then(() => {
      isHung = !call.signal.aborted;
      return search(options, call, () => {
        isHung = false;
      });
    });
    previous = turn.catch(() => {});
    try {
      return await turn;
    } catch (error) {
      // A search that takes long is not an outage, but a server that responds to none of its
      // requests is.
      if (!call.signal.aborted || isHung) throw error;
      throw new UpstreamError({ reason: 'the search for the notebook took too long', retryable: true, cause: error });
    }
  };
}

/** The entries of a folder; none if it does not exist or must not be listed. */
async function listOrSkip(
  contents: Pick<JupyterContents, 'listFolder'>,
  folder: string,
  call: BackendCall,
): Promise<FolderEntry[]> {
  try {
    return await contents.listFolder(folder, call);
  } catch (error) {
    const isAbsent = error instanceof NotebookAbsent;
    if (isAbsent || (error instanceof UpstreamError && !error.retryable && folder !== '')) return [];
    throw error;
  }
}

/** The ids in the files that were read, as long as these do not change. */
class RememberedFiles {
  readonly #files = new Map<string, Remembered>();

  /** The file as it is now; undefined if that was not read. */
  recall({ path, last_modified: lastModified }: FolderEntry): Remembered | undefined {
    const known = this.#files.get(path);
    return known?.lastModified === lastModified ? known : undefined;
  }

  /** Reads the id in a file, and remembers it, or that it could not be read. */
  async idOf(
    entry: FolderEntry,
    call: BackendCall,
    readId: (path: string, call: BackendCall) => Promise<string | undefined>,
  ): Promise<string | undefined> {
    try {
      return this.#remember(entry, await readId(entry.path, call));
    } catch (error) {
      if (error instanceof NotebookAbsent) return undefined;
      if (!(error instanceof UpstreamError) || call.signal.aborted) throw error;
      if (!error.retryable) return this.#remember(entry, undefined);
      this.#remember(entry, undefined, (this.recall(entry)?.failures ?? 0) + 1);
      throw error;
    }
  }

  #remember({ path, last_modified: lastModified }: FolderEntry, id: string | undefined, failures = 0) {
    const files = this.#files;
    files.delete(path);
    files.set(path, { lastModified, id, failures });
    const [oldest] = files.keys();
    if (files.size > maxRemembered && oldest !== undefined) files.delete(oldest);
    return id;
  }
}

const byTimeDescending = (one: FolderEntry, other: FolderEntry) =>
  one.last_modified < other.last_modified ? 1 : one.last_modified > other.last_modified ? -1 : 0;

// Finds `content` and `content.metadata` in the JSON of a notebook file while it arrives. A
// notebook of many megabytes is neither parsed nor copied: reading needs the metadata only, and an
// update replaces their bytes, so that all others are written back as they are.
//
// Unlike the tokens of request bodies (`shared/json/json-tokens.ts`), it needs the characters of
// keys that two chunks divide, and the first byte of a value before its last one has arrived.

/** Positions in bytes, half open. */
interface ByteRange {
  start: number;
  end: number;
}

export interface NotebookFileParts {
  content: ByteRange;
  metadata: ByteRange;
  /** The bytes of the metadata. */
  metadataJson: string;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const openBrace = 0x7b;
const isOpening = (byte: number) => byte === openBrace || byte === 0x5b;
const isClosing = (byte: number) => byte === 0x7d || byte === 0x5d;
const isSpace = (byte: number) => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
/** Longer than the wanted keys. The ends of longer keys are not read. */
const maxKeyLength = 16;

/** Keys are compared as they are written: escaped ones, which no server writes, are not found. */
export class NotebookFileScanner {
  readonly #maxMetadataBytes: number;
  /** Bytes before the present chunk. */
  #offset = 0;
  #depth = 0;
  #hasEnded = false;
  #isInString = false;
  #isAfterBackslash = false;
  /** The depth of the object whose keys are read: 1, or 2 within `content`. */
  #watchedDepth = 1;
  #readsKey = false;
  #key = '';
  /** After the colon of a watched key, until the first byte of its value. */
  #awaitsValue = false;
  #content: ByteRange | undefined;
  #metadata: ByteRange | undefined;
  #isInMetadata = false;
  #metadataChunks: Buffer[] = [];
  #metadataBytes = 0;

  constructor(maxMetadataBytes: number) {
    this.#maxMetadataBytes = maxMetadataBytes;
  }

  /**
   * @throws SyntaxError for what is not a JSON object, RangeError for metadata that are longer than
   * the limit.
   */
  push(chunk: Buffer): void {
    for (let i = 0; i < chunk.length; i += 1) {
      const byte = chunk[i] as number;
      if (this.#isInString) this.#readString(byte);
      else if (!isSpace(byte)) this.#readStructure(byte, this.#offset + i);
    }
    this.#keepMetadata(chunk, this.#offset);
    this.#offset += chunk.length;
  }

  /** @returns undefined if a part is missing. @throws SyntaxError when the text ended too early. */
  finish(): NotebookFileParts | undefined {
    if (!this.#hasEnded) throw new SyntaxError('the JSON text ended too early');
    const [content, metadata] = [this.#content, this.#metadata];
    if (!content || !metadata) return undefined;
    return { content, metadata, metadataJson: Buffer.concat(this.#metadataChunks).toString('utf8') };
  }

  #readString(byte: number): void {
    if (this.#isAfterBackslash) this.#isAfterBackslash = false;
    else if (byte === backslash) this.#isAfterBackslash = true;
    else if (byte === quote) {
      this.#isInString = false;
      return;
    }
    if (this.#readsKey && this.#key.length < maxKeyLength) this.#key += String.fromCharCode(byte);
  }

  #readStructure(byte: number, at: number): void {
    if (this.#hasEnded || (this.#depth === 0 && byte !== openBrace)) throw new SyntaxError('not a JSON object');
    if (this.#awaitsValue) this.#startValue(at, byte);
    if (byte === quote) this.#isInString = true;
    if (isOpening(byte)) {
      this.#depth += 1;
      this.#readsKey = this.#depth === this.#watchedDepth;
      this.#key = '';
    } else if (isClosing(byte)) this.#close(at);
    else if (this.#depth === this.#watchedDepth && byte === comma) {
      this.#endValue(at);
      this.#readsKey = true;
      this.#key = '';
    } else if (this.#depth === this.#watchedDepth && byte === colon) {
      this.#readsKey = false;
      this.#awaitsValue = true;
    }
  }

  #close(at: number): void {
    if (this.#depth === this.#watchedDepth) this.#endValue(at);
    this.#depth -= 1;
    if (this.#depth === 1 && this.#watchedDepth === 2) {
      this.#watchedDepth = 1;
      this.#key = 'content';
    }
    this.#hasEnded = this.#depth === 0;
  }

  #startValue(at: number, byte: number): void {
    this.#awaitsValue = false;
    if (this.#watchedDepth === 1 && this.#key === 'content') {
      this.#content = { start: at, end: -1 };
      this.#metadata = undefined;
      if (byte === openBrace) this.#watchedDepth = 2;
    } else if (this.#watchedDepth === 2 && this.#key === 'metadata') {
      this.#metadata = { start: at, end: -1 };
      this.#metadataChunks = [];
      this.#metadataBytes = 0;
      this.#isInMetadata = true;
    }
  }

  #endValue(at: number): void {
    if (this.#watchedDepth === 1 && this.#key === 'content' && this.#content) this.#content.end = at;
    else if (this.#isInMetadata && this.#metadata) {
      this.#metadata.end = at;
      this.#isInMetadata = false;
    }
  }

  /** Retains the bytes of the metadata in the chunk that began at `start`. */
  #keepMetadata(chunk: Buffer, start: number): void {
    const metadata = this.#metadata;
    if (!metadata) return;
    const end = metadata.end < 0 ? chunk.length : metadata.end - start;
    if (end <= 0 || metadata.start - start >= chunk.length) return;
    // A copy, because a part would keep its whole chunk in memory.
    const part = Buffer.from(chunk.subarray(Math.max(0, metadata.start - start), end));
    this.#metadataBytes += part.length;
    if (this.#metadataBytes > this.#maxMetadataBytes) throw new RangeError('the metadata are too long');
    this.#metadataChunks.push(part);
  }
}

/** The bytes of a range, as parts of the chunks. */
export function sliceChunks(chunks: readonly Buffer[], { start, end }: ByteRange): Buffer[] {
  const parts: Buffer[] = [];
  let offset = 0;
  for (const chunk of chunks) {
    const part = chunk.subarray(Math.max(0, start - offset), Math.max(0, end - offset));
    if (part.length > 0) parts.push(part);
    offset += chunk.length;
  }
  return parts;
}
