import { createReadStream } from 'node:fs';

const lineFeed = 10;
const carriageReturn = 13;

/** A line of the input and its length in bytes, line end included. `text` is undefined for a line over the limit. */
export interface InputLine {
  text: string | undefined;
  bytes: number;
}

/**
 * The lines of a file, read as UTF-8. Of a line of more than `limit` bytes nothing is kept but its length, so that
 * memory stays the same for any file.
 */
export async function* readLines(path: string, limit: number): AsyncGenerator<InputLine> {
  let parts: Buffer[] = [];
  let bytes = 0;
  const take = (end: number): InputLine => {
    const line = { text: bytes > limit ? undefined : textOf(parts), bytes: bytes + end };
    parts = [];
    bytes = 0;
    return line;
  };
  for await (const chunk of createReadStream(path, { highWaterMark: 256 * 1024 }) as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
      add(chunk.subarray(start, end));
      yield take(1);
      start = end + 1;
    }
    add(chunk.subarray(start));
  }
  if (bytes > 0) yield take(0);

  function add(part: Buffer): void {
    bytes += part.length;
    if (bytes > limit) parts = [];
    else if (part.length > 0) parts.push(part);
  }
}

function textOf(parts: readonly Buffer[]): string {
  const line = Buffer.concat(parts);
  return line.toString('utf8', 0, line.at(-1) === carriageReturn ? line.length - 1 : line.length);
}
