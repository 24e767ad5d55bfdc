/** Lines of a file that are sent in one request. */
export interface LineBatch {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Lines that were left out because they are too long for any request. */
  readonly tooLong: number;
}

/** The service counts a line as at least so many bytes. */
const minLineBytes = 64;
const newline = 0x0a;

/**
 * Cuts a stream of text into batches of whole lines, each of at most `maxBytes`. Blank lines stay
 * where they are: the service skips them. No more than one batch and one piece of the stream is in
 * memory.
 */
export async function* cutLines(
  pieces: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<LineBatch, void, undefined> {
  let batch = startBatch();
  let line: Uint8Array[] = [];
  let lineBytes = 0;

  function* endLine(): Generator<LineBatch, void, undefined> {
    const cost = Math.max(lineBytes, minLineBytes);
    if (lineBytes > maxBytes) batch.tooLong += 1;
    else {
      if (batch.cost + cost > maxBytes) {
        yield closeBatch(batch);
        batch = startBatch();
      }
      batch.parts.push(...line);
      batch.cost += cost;
    }
    line = [];
    lineBytes = 0;
  }

  for await (const piece of pieces) {
    let start = 0;
    for (;;) {
      const end = piece.indexOf(newline, start);
      const part = piece.subarray(start, end === -1 ? undefined : end + 1);
      lineBytes += part.length;
      // A line that is too long is not kept, only counted.
      if (lineBytes <= maxBytes) line.push(part);
      else line = [];
      if (end === -1) break;
      yield* endLine();
      start = end + 1;
    }
  }
  if (lineBytes > 0) yield* endLine();
  if (batch.parts.length > 0 || batch.tooLong > 0) yield closeBatch(batch);
}

interface OpenBatch {
  parts: Uint8Array[];
  /** In bytes, as the service counts them. */
  cost: number;
  tooLong: number;
}

const startBatch = (): OpenBatch => ({ parts: [], cost: 0, tooLong: 0 });

function closeBatch({ parts, tooLong }: OpenBatch): LineBatch {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return { bytes, tooLong };
}
