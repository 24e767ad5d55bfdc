// The keys of indexes: BSON values as bytes whose order is MongoDB's order of values. No encoded
// value is the prefix of another, so that keys can consist of several values.
import { createHash } from 'node:crypto';
import { ByteWriter } from '../bson/byte-writer.ts';
import { type NumericValue, numberOf } from '../bson/numbers.ts';
import { typeOrder } from '../bson/types.ts';
import { type BsonValue, elementsOf, fieldsOf, textOf } from '../bson/value.ts';

/** lmdb's limit is 1,978 bytes; the rest is for the index number and the record number. */
const maxKeyBytes = 1900;
const hashBytes = 32;

/** `ordered` is false if equal bytes mean equal values but their order does not count: a hash. */
interface EncodedKey {
  bytes: Buffer;
  ordered: boolean;
}

class KeyWriter extends ByteWriter {
  /** Zero bytes are written as 00 FF, so that the closing 00 01 sorts before any continuation. */
  text(encoded: Buffer): void {
    let from = 0;
    for (let zero = encoded.indexOf(0); zero >= 0; zero = encoded.indexOf(0, from)) {
      this.raw(encoded.subarray(from, zero + 1));
      this.byte(0xff);
      from = zero + 1;
    }
    this.raw(from === 0 ? encoded : encoded.subarray(from));
    this.byte(0);
    this.byte(1);
  }

  int64(value: bigint): void {
    const at = this.reserve(8);
    this.bytes.writeBigUInt64BE(BigInt.asUintN(64, value ^ (1n << 63n)), at);
  }

  double(value: number): void {
    const at = this.reserve(8);
    if (Number.isNaN(value)) {
      this.bytes.fill(0, at, at + 8);
      return;
    }
    this.bytes.writeDoubleBE(value === 0 ? 0 : value, at);
    if ((this.bytes[at] ?? 0) >= 0x80) {
      for (let index = at; index < at + 8; index += 1) this.bytes[index] = 0xff ^ (this.bytes[index] ?? 0);
    } else {
      this.bytes[at] = 0x80 | (this.bytes[at] ?? 0);
    }
  }

  /** The nearest double, then the difference of an integer from it, then a zero. */
  number(value: NumericValue): void {
    const nearest = Number(value);
    this.double(nearest);
    const difference = typeof value === 'bigint' ? Number(value - BigInt(nearest)) : 0;
    const at = this.reserve(3);
    this.bytes.writeUInt16BE(difference + 0x8000, at);
    this.bytes[at + 2] = 0;
  }

  value(value: BsonValue): void {
    const { bytes, start, end, order } = value;
    this.byte(order);
    switch (order) {
      case typeOrder.number:
        this.number(numberOf(value) ?? 0);
        return;
      case typeOrder.string:
        this.text(value.raw.subarray(4, -1));
        return;
      case typeOrder.object:
        for (const { name, value: field } of fieldsOf(value)) {
          this.byte(field.order);
          this.text(Buffer.from(name));
          this.value(field);
        }
        this.byte(0);
        return;
      case typeOrder.array:
        for (const element of elementsOf(value)) this.value(element);
        this.byte(0);
        return;
      case typeOrder.binData: {
        const at = this.reserve(4);
        this.bytes.writeUInt32BE(bytes.readInt32LE(start), at);
        this.raw(bytes.subarray(start + 4, end));
        return;
      }
      case typeOrder.date:
        this.int64(bytes.readBigInt64LE(start));
        return;
      default:
        // ObjectIds and booleans; the other types have no content.
        this.raw(value.raw);
    }
  }
}

/**
 * Encodes one value for an index of `fieldCount` fields. The end of a long value is replaced by the
 * SHA-256 of the value.
 */
export function encodeKey(value: BsonValue, fieldCount = 1): EncodedKey {
  const writer = new KeyWriter();
  writer.value(value);
  const bytes = writer.finish();
  const limit = Math.floor(maxKeyBytes / fieldCount);
  if (bytes.length <= limit) return { bytes, ordered: true };
  const hash = createHash('sha256').update(bytes).digest();
  // A hash can not be mistaken for a value: the type byte and the length together do not occur
  // otherwise.
  return { bytes: Buffer.concat([bytes.subarray(0, limit - hashBytes), hash]), ordered: false };
}

/** The same text for equal values, and only for them. */
export function identityOf(value: BsonValue): string {
  return value.order === typeOrder.string ? `"${textOf(value)}` : encodeKey(value).bytes.toString('latin1');
}

/** The smallest bytes above everything that starts with `prefix`. */
export function afterPrefix(prefix: Buffer): Buffer {
  const next = Buffer.from(prefix);
  for (let index = next.length - 1; index >= 0; index -= 1) {
    const byte = next[index] ?? 0;
    if (byte < 0xff) {
      next[index] = byte + 1;
      return next.subarray(0, index + 1);
    }
  }
  return Buffer.concat([prefix, Buffer.alloc(1, 0xff)]);
}
