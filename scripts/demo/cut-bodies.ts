/** A request body of whole lines. */
interface LinesBody {
  bytes: Buffer;
  lines: number;
}

const lineFeed = 10;
const blanks: readonly (number | undefined)[] = [9, 32];
const maxBytes = 4 * 1024 * 1024;

/**
 * Cuts text into bodies of `size` lines, or fewer if they exceed 4 MiB. The line after a body has
 * no blank at its start, because the service joins the lines of a stack trace within one request. A
 * line of more than 4 MiB becomes several, which the service rejects.
 */
export async function* cutBodies(chunks: AsyncIterable<Buffer>, size: number): AsyncGenerator<LinesBody> {
  let rest = Buffer.alloc(0);
  let end = 0;
  let lines = 0;
  const cut = (): LinesBody => {
    const body = { bytes: rest.subarray(0, end), lines };
    rest = rest.subarray(end);
    end = 0;
    lines = 0;
    return body;
  };
  for await (const chunk of chunks) {
    rest = Buffer.concat([rest, chunk]);
    for (let next = rest.indexOf(lineFeed, end); next !== -1; next = rest.indexOf(lineFeed, end)) {
      const isWhole = lines >= size && !blanks.includes(rest[end]);
      if (end > 0 && (isWhole || next >= maxBytes)) yield cut();
      else {
        end = next + 1;
        lines += 1;
      }
    }
    if (end > 0 && rest.length > maxBytes) yield cut();
    if (rest.length > maxBytes) {
      end = rest.length;
      lines = 1;
      yield cut();
    }
  }
  if (end > 0) yield cut();
  if (rest.length > 0) yield { bytes: rest, lines: 1 };
}
