import { createReadStream } from 'node:fs';

const lineFeed = 10;
const carriageReturn = 13;

/**
 * A line of the input and its length in bytes, including the line ending. `text` is undefined if
 * the line exceeds the limit.
 */
export interface InputLine {
  text: string | undefined;
  bytes: number;
}

/**
 * Reads the lines of a file in UTF-8. If a line has more than `limit` bytes, only its length is
 * kept, so that memory is limited for every file.
 */
export async function* readLines(path: string, limit: number): AsyncGenerator<InputLine> {
  let parts: Buffer[] = [];
  let bytes = 0;
  const finishLine = (end: number): InputLine => {
    const line = { text: bytes > limit ? undefined : textOf(parts), bytes: bytes + end };
    parts = [];
    bytes = 0;
    return line;
  };
  for await (const chunk of createReadStream(path, { highWaterMark: 256 * 1024 }) as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
      append(chunk.subarray(start, end));
      yield finishLine(1);
      start = end + 1;
    }
    append(chunk.subarray(start));
  }
  if (bytes > 0) yield finishLine(0);

  function append(part: Buffer): void {
    bytes += part.length;
    if (bytes > limit) parts = [];
    else if (part.length > 0) parts.push(part);
  }
}

function textOf(parts: readonly Buffer[]): string {
  const line = Buffer.concat(parts);
  return line.toString('utf8', 0, line.at(-1) === carriageReturn ? line.length - 1 : line.length);
}
