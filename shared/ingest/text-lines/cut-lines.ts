/** Lines of a file that are sent in one request. */
export interface LineBatch {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Lines that were left out because they are too long for any request. */
  readonly tooLong: number;
}

/** How a line begins: with a time, as an entry can, or as the continuation of one. */
export type LineStart = 'time' | 'entry' | 'continuation';

/** Bytes of a line that show how it begins. */
const headBytes = 512;
/** The service counts a line as at least so many bytes. */
const minLineBytes = 64;
const newline = 0x0a;

/**
 * Cuts a stream of text into batches of whole lines, each of at most `maxBytes`. Blank lines stay
 * where they are: the service skips them. No more than one batch and one piece of the stream is in
 * memory.
 * @param startOf says how a line begins, so that batches begin with an entry: one with a time if
 * there is any.
 */
export async function* cutLines(
  pieces: AsyncIterable<Uint8Array>,
  maxBytes: number,
  startOf: (head: string) => LineStart = () => 'entry',
): AsyncGenerator<LineBatch, void, undefined> {
  let batch = startBatch();
  let line: Uint8Array[] = [];
  let lineBytes = 0;

  function* endLine(): Generator<LineBatch, void, undefined> {
    const cost = Math.max(lineBytes, minLineBytes);
    if (lineBytes > maxBytes) batch.tooLong += 1;
    else {
      const start = startOf(headOf(line));
      while (batch.cost + cost > maxBytes) {
        const rest = cutOff(batch, start);
        yield closeBatch(batch);
        batch = rest;
      }
      if (start !== 'continuation' && batch.parts.length > 0)
        batch[start] = { parts: batch.parts.length, cost: batch.cost };
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
  /** Before the last line that begins with a time, and before the last one that can be an entry. */
  time: Cut | null;
  entry: Cut | null;
}

/** The parts of a batch that precede a line. */
interface Cut {
  readonly parts: number;
  readonly cost: number;
}

const startBatch = (): OpenBatch => ({ parts: [], cost: 0, tooLong: 0, time: null, entry: null });

/** Leaves in a batch what precedes its last entry. @returns the rest of the batch. */
function cutOff(batch: OpenBatch, next: LineStart): OpenBatch {
  const rest = startBatch();
  const cut = next === 'time' ? null : (batch.time ?? (next === 'entry' ? null : batch.entry));
  if (!cut) return rest;
  rest.parts = batch.parts.splice(cut.parts);
  rest.cost = batch.cost - cut.cost;
  return rest;
}

/** The start of a line, which can be in several pieces. */
function headOf(line: readonly Uint8Array[]): string {
  const decoder = new TextDecoder();
  let [text, left] = ['', headBytes];
  for (const part of line) {
    text += decoder.decode(part.subarray(0, left), { stream: true });
    left -= part.length;
    if (left <= 0) break;
  }
  return text;
}

function closeBatch({ parts, tooLong }: OpenBatch): LineBatch {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return { bytes, tooLong };
}
