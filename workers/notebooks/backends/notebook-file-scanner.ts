// Finds `content` and `content.metadata` in the JSON of a notebook file while it arrives. A
// notebook of many megabytes is neither parsed nor copied: reading needs the metadata only, and an
// update replaces their bytes, so that all others are written back as they are.
//
// Unlike the tokens of request bodies (`api/http/body/json-tokens.ts`), it needs the characters of
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

interface NotebookFileScanner {
  /**
   * @throws SyntaxError for what is not a JSON object, RangeError for metadata that are longer than
   * the limit.
   */
  push(chunk: Buffer): void;
  /** @returns undefined if a part is missing. @throws SyntaxError when the text ended too early. */
  finish(): NotebookFileParts | undefined;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const isOpening = (byte: number) => byte === 0x7b || byte === 0x5b;
const isClosing = (byte: number) => byte === 0x7d || byte === 0x5d;
const isSpace = (byte: number) => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
/** Longer than the keys that are looked for. Longer keys need not be told apart. */
const maxKeyLength = 16;

/** Keys are compared as they are written: escaped ones, which no server writes, are not found. */
export function createNotebookFileScanner(maxMetadataBytes: number): NotebookFileScanner {
  let offset = 0;
  let depth = 0;
  let ended = false;
  let inString = false;
  let escaped = false;
  /** The depth of the object whose keys are read: 1, or 2 within `content`. */
  let watchedDepth = 1;
  let readsKey = false;
  let key = '';
  /** After the colon of a watched key, until the first byte of its value. */
  let awaitsValue = false;
  let content: ByteRange | undefined;
  let metadata: ByteRange | undefined;
  let isMetadata = false;
  let metadataChunks: Buffer[] = [];
  let metadataBytes = 0;

  function startValue(at: number, byte: number): void {
    awaitsValue = false;
    if (watchedDepth === 1 && key === 'content') {
      content = { start: at, end: -1 };
      metadata = undefined;
      if (byte === 0x7b) watchedDepth = 2;
    } else if (watchedDepth === 2 && key === 'metadata') {
      metadata = { start: at, end: -1 };
      metadataChunks = [];
      metadataBytes = 0;
      isMetadata = true;
    }
  }

  function endValue(at: number): void {
    if (watchedDepth === 1 && key === 'content' && content) content.end = at;
    else if (isMetadata && metadata) {
      metadata.end = at;
      isMetadata = false;
    }
  }

  function readStructure(byte: number, at: number): void {
    if (ended || (depth === 0 && byte !== 0x7b)) throw new SyntaxError('not a JSON object');
    if (awaitsValue) startValue(at, byte);
    if (byte === quote) inString = true;
    if (isOpening(byte)) {
      depth += 1;
      readsKey = depth === watchedDepth;
      key = '';
    } else if (isClosing(byte)) {
      if (depth === watchedDepth) endValue(at);
      depth -= 1;
      if (depth === 1 && watchedDepth === 2) {
        watchedDepth = 1;
        key = 'content';
      }
      ended = depth === 0;
    } else if (depth === watchedDepth && byte === comma) {
      endValue(at);
      readsKey = true;
      key = '';
    } else if (depth === watchedDepth && byte === colon) {
      readsKey = false;
      awaitsValue = true;
    }
  }

  function readString(byte: number): void {
    if (escaped) escaped = false;
    else if (byte === backslash) escaped = true;
    else if (byte === quote) {
      inString = false;
      return;
    }
    if (readsKey && key.length < maxKeyLength) key += String.fromCharCode(byte);
  }

  /** Keeps the bytes of the metadata in the chunk that began at `start`. */
  function keepMetadata(chunk: Buffer, start: number): void {
    if (!metadata) return;
    const end = metadata.end < 0 ? chunk.length : metadata.end - start;
    if (end <= 0 || metadata.start - start >= chunk.length) return;
    // A copy, because a part would keep its whole chunk in memory.
    const part = Buffer.from(chunk.subarray(Math.max(0, metadata.start - start), end));
    metadataBytes += part.length;
    if (metadataBytes > maxMetadataBytes) throw new RangeError('the metadata are too long');
    metadataChunks.push(part);
  }

  return {
    push: (chunk) => {
      for (let i = 0; i < chunk.length; i += 1) {
        const byte = chunk[i] as number;
        if (inString) readString(byte);
        else if (!isSpace(byte)) readStructure(byte, offset + i);
      }
      keepMetadata(chunk, offset);
      offset += chunk.length;
    },
    finish: () => {
      if (!ended) throw new SyntaxError('the JSON text ended too early');
      if (!content || !metadata) return undefined;
      return { content, metadata, metadataJson: Buffer.concat(metadataChunks).toString('utf8') };
    },
  };
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
