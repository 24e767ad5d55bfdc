// Files of OpenTelemetry in protobuf: a request as it was sent, or requests with their lengths
// before them, as the Collector's file exporter writes them.

/** Requests of fewer bytes are read together: their concatenation is a request too. */
const pieceBytes = 1024 * 1024;
/** A request of more bytes is not read. */
const maxBytes = 16 * 1024 * 1024;
const lengthBytes = 4;
/** The first byte of a field: `resource_logs` and the `resource` in it, and its `scope_logs`. */
const [firstField, secondField] = [0x0a, 0x12];

type Framing = 'plain' | 'lengths';

/** The framing of a file by its first bytes; undefined if it is of another kind. */
export function framingOf(start: Buffer): Framing | undefined {
  if (isRequestAt(start, 0)) return 'plain';
  return isRequestAt(start, lengthBytes) && start[0] === 0 ? 'lengths' : undefined;
}

/** Text has no byte 0x12, so that it is never taken for a request. */
function isRequestAt(bytes: Buffer, at: number): boolean {
  const logs = fieldAt(bytes, at);
  const first = logs && fieldAt(bytes, logs.start);
  if (bytes[at] !== firstField || !first || first.end > logs.end) return false;
  return bytes[logs.start] === secondField || (bytes[logs.start] === firstField && bytes[first.end] === secondField);
}

interface Range {
  start: number;
  end: number;
}

/** The value of a field that has its length before it; undefined if more bytes are needed. */
function fieldAt(bytes: Buffer, at: number): Range | undefined {
  let length = 0;
  for (let position = at + 1; position <= at + 5; position += 1) {
    const byte = bytes[position];
    if (byte === undefined) return undefined;
    length += (byte & 0x7f) * 2 ** (7 * (position - at - 1));
    if (byte < 0x80) return { start: position + 1, end: position + 1 + length };
  }
  return undefined;
}

/** Cuts a file into requests. One that is cut off or damaged is the last, as it is. */
export async function* cutRequests(chunks: AsyncIterable<Buffer>, framing: Framing): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  let requests: Buffer[] = [];
  let size = 0;
  const partAt = (at: number): Range | undefined => {
    if (framing === 'lengths') {
      const start = at + lengthBytes;
      return rest.length < start ? undefined : { start, end: start + rest.readUInt32BE(at) };
    }
    const field = rest[at] === firstField ? fieldAt(rest, at) : undefined;
    return field && { start: at, end: field.end };
  };
  for await (const chunk of chunks) {
    rest = Buffer.concat([rest, chunk]);
    for (let part = partAt(0); part && part.end <= rest.length; part = partAt(0)) {
      requests.push(rest.subarray(part.start, part.end));
      size += part.end - part.start;
      rest = rest.subarray(part.end);
      if (size < pieceBytes) continue;
      yield Buffer.concat(requests);
      [requests, size] = [[], 0];
    }
    if (rest.length > maxBytes) break;
  }
  if (size > 0) yield Buffer.concat(requests);
  if (rest.length > 0) yield rest;
}
