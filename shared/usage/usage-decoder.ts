// Decodes documents of usage. They consist of few types, and of the same names and texts again and
// again, which the library decodes anew each time: it takes three to five times as long.
import mongoose from 'mongoose';

const { BSON } = mongoose.mongo;

/**
 * Decodes a document as the library does with `useBigInt64`: 64-bit integers become bigint.
 * Whatever is unusual in usage is left to the library, such as other types than strings, numbers,
 * dates, bytes, documents and arrays, or malformed bytes. Bytes are a view of those of the
 * document.
 */
export function decodeUsage(bytes: Uint8Array): object {
  try {
    return new Reader(bytes).readDocument();
  } catch (error) {
    if (!(error instanceof UnusualError) && !(error instanceof RangeError)) throw error;
    return BSON.deserialize(bytes, { useBigInt64: true, promoteBuffers: true });
  }
}

/** The `_id` of a stored document, which is a text. */
export function decodeId(bytes: Uint8Array): string {
  const reader = new Reader(bytes);
  return reader.readTextOfFirstField('_id') ?? (BSON.deserialize(bytes) as { _id: string })._id;
}

class UnusualError extends Error {}

/** The types of https://bsonspec.org/spec.html that usage consists of. */
const types = {
  double: 0x01,
  string: 0x02,
  document: 0x03,
  array: 0x04,
  binary: 0x05,
  date: 0x09,
  int32: 0x10,
  int64: 0x12,
} as const;

/** The subtype of bytes that are nothing else in particular. */
const genericSubtype = 0;

class Reader {
  readonly #bytes: Buffer;
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  readDocument(): object {
    const fields: Record<string, unknown> = {};
    this.#at += 4;
    for (let type = this.#readType(); type !== 0; type = this.#readType()) {
      const start = this.#at;
      this.#skipName();
      const name = names.text(this.#bytes, start, this.#at - 1);
      // The library makes a field of the first one, and references of objects with names like the
      // second one.
      if (name === '__proto__' || name.startsWith('$')) throw new UnusualError();
      fields[name] = this.#readValue(type);
    }
    return fields;
  }

  /** Undefined if the first field has another name or type. */
  readTextOfFirstField(name: string): string | undefined {
    this.#at += 4;
    const type = this.#readType();
    const start = this.#at;
    if (type !== types.string) return undefined;
    this.#skipName();
    return names.text(this.#bytes, start, this.#at - 1) === name ? (this.#readValue(type) as string) : undefined;
  }

  #readArray(): unknown[] {
    this.#at += 4;
    const first = this.#readType();
    if (first === 0) return [];
    this.#skipName();
    // An empty list that is added to has a capacity of 17, and most have one element.
    const elements = [this.#readValue(first)];
    for (let type = this.#readType(); type !== 0; type = this.#readType()) {
      this.#skipName();
      elements.push(this.#readValue(type));
    }
    return elements;
  }

  #readBytes(): Uint8Array {
    const length = this.#view.getInt32(this.#at, true);
    const subtype = this.#view.getUint8(this.#at + 4);
    const start = this.#at + 5;
    if (subtype !== genericSubtype || length < 0) throw new UnusualError();
    this.#at = start + length;
    // The view throws beyond the end.
    if (length > 0) this.#view.getUint8(this.#at - 1);
    return this.#bytes.subarray(start, this.#at);
  }

  #skipName(): void {
    // A loop is faster than `indexOf`, because names are short. At the end, the view throws.
    while (this.#view.getUint8(this.#at) !== 0) this.#at += 1;
    this.#at += 1;
  }

  #readType(): number {
    const type = this.#view.getUint8(this.#at);
    this.#at += 1;
    return type;
  }

  #readValue(type: number): unknown {
    const at = this.#at;
    switch (type) {
      case types.document:
        return this.readDocument();
      case types.array:
        return this.#readArray();
      case types.string: {
        const length = this.#view.getInt32(at, true);
        this.#at += 4 + length;
        return values.text(this.#bytes, at + 4, at + 3 + length);
      }
      case types.binary:
        return this.#readBytes();
      case types.int32:
        this.#at += 4;
        return this.#view.getInt32(at, true);
      case types.double:
        this.#at += 8;
        return this.#view.getFloat64(at, true);
      case types.int64:
        this.#at += 8;
        return this.#view.getBigInt64(at, true);
      case types.date:
        this.#at += 8;
        return new Date(this.#view.getInt32(at + 4, true) * 2 ** 32 + this.#view.getUint32(at, true));
      default:
        throw new UnusualError();
    }
  }
}

/**
 * Texts that were decoded last, by their bytes. A text takes the place of another one with the same
 * hash.
 */
class DecodedTexts {
  readonly #known: ({ bytes: Buffer; text: string } | undefined)[] = Array.from({ length: 256 });

  text(bytes: Buffer, start: number, end: number): string {
    const length = end - start;
    if (length > longestKept) return decode(bytes, start, end);
    let hash = length;
    for (let at = start; at < end; at += 1) hash = (hash * 31 + (bytes[at] ?? 0)) & 0xff_ff_ff;
    const place = (hash ^ (hash >> 8) ^ (hash >> 16)) & 0xff;
    const known = this.#known[place];
    if (known?.bytes.length === length && isEqual(known.bytes, bytes, start)) return known.text;
    const text = decode(bytes, start, end);
    this.#known[place] = { bytes: Buffer.from(bytes.subarray(start, end)), text };
    return text;
  }
}

/** The longest model ids have about 60 bytes. */
const longestKept = 64;
const names = new DecodedTexts();
const values = new DecodedTexts();

function decode(bytes: Buffer, start: number, end: number): string {
  const text = bytes.toString('utf8', start, end);
  // Perhaps not valid UTF-8, which the library refuses.
  if (text.includes('\ufffd')) throw new UnusualError();
  return text;
}

function isEqual(known: Buffer, bytes: Buffer, start: number): boolean {
  for (let at = 0; at < known.length; at += 1) if (known[at] !== bytes[start + at]) return false;
  return true;
}
