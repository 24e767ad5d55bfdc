// BSON values as bytes whose plain byte order is MongoDB's order: the keys of every index.
// Each encoded value is prefix-free, so values can stand one after the other and be turned round for descending fields.
import { createHash } from 'node:crypto';
import { type Code, Decimal128, type ObjectId, type Timestamp } from 'bson';
import {
  type BsonDocument,
  bytesOf,
  canonicalDecimal,
  compareValues,
  orderOf,
  regexParts,
  toNative,
  typeOf,
} from './bson-values.ts';

/** lmdb takes keys of up to 1,978 bytes; the rest is for the index number and the record number. */
const maxKeyBytes = 1900;
const hashBytes = 32;

/** `ordered` is false where bytes keep equality but not order: a value cut to its hash, or an inexact decimal. */
export interface EncodedValue {
  bytes: Buffer;
  ordered: boolean;
}

class KeyWriter {
  bytes = Buffer.allocUnsafe(64);
  length = 0;
  ordered = true;

  reserve(count: number): number {
    const at = this.length;
    this.length += count;
    if (this.length > this.bytes.length) {
      const grown = Buffer.allocUnsafe(Math.max(this.length, this.bytes.length * 2));
      this.bytes.copy(grown, 0, 0, at);
      this.bytes = grown;
    }
    return at;
  }

  byte(value: number): void {
    const at = this.reserve(1);
    this.bytes[at] = value;
  }

  raw(value: Uint8Array): void {
    const at = this.reserve(value.length);
    this.bytes.set(value, at);
  }

  /** Zero bytes are written as 00 FF, so that the closing 00 01 sorts before any continuation. */
  text(value: string): void {
    const encoded = Buffer.from(value, 'utf8');
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

  /** Nearest double, then what is left of an int64 beyond it, then the digits of a decimal that no double holds. */
  number(value: number | bigint | Decimal128): void {
    const nearest = Number(value);
    this.double(nearest);
    let rest = 0;
    let digits = '';
    if (typeof value === 'bigint') rest = Number(value - BigInt(nearest));
    else if (value instanceof Decimal128 && Number.isFinite(nearest) && compareValues(value, nearest) !== 0) {
      const isInt64 =
        Number.isInteger(nearest) && Math.abs(nearest) < 2 ** 63 && compareValues(value, BigInt(nearest)) !== 0;
      if (isInt64 && /^-?\d+$/.test(value.toString())) rest = Number(BigInt(value.toString()) - BigInt(nearest));
      else {
        digits = canonicalDecimal(value);
        this.ordered = false;
      }
    }
    const at = this.reserve(2);
    this.bytes.writeUInt16BE(rest + 0x8000, at);
    if (digits === '') this.byte(0);
    else {
      this.byte(1);
      this.text(digits);
    }
  }

  value(value: unknown): void {
    const order = orderOf(value);
    this.byte(order);
    switch (typeOf(value)) {
      case 'int':
      case 'long':
      case 'double':
      case 'decimal':
        this.number(toNative(value) ?? 0);
        return;
      case 'string':
      case 'symbol':
        this.text(String(value));
        return;
      case 'object':
        for (const [name, field] of Object.entries(value as BsonDocument)) {
          this.byte(orderOf(field));
          this.text(name);
          this.value(field);
        }
        this.byte(0);
        return;
      case 'array':
        for (const element of value as unknown[]) this.value(element);
        this.byte(0);
        return;
      case 'binData': {
        const { bytes, subtype } = bytesOf(value);
        const at = this.reserve(5);
        this.bytes.writeUInt32BE(bytes.length, at);
        this.bytes[at + 4] = subtype;
        this.raw(bytes);
        return;
      }
      case 'objectId':
        this.raw((value as ObjectId).id);
        return;
      case 'bool':
        this.byte(value === true ? 1 : 0);
        return;
      case 'date':
        this.int64(BigInt((value as Date).getTime()));
        return;
      case 'timestamp': {
        const at = this.reserve(8);
        this.bytes.writeBigUInt64BE(BigInt.asUintN(64, (value as Timestamp).toBigInt()), at);
        return;
      }
      case 'regex': {
        const { pattern, options } = regexParts(value);
        this.text(pattern);
        this.text(options);
        return;
      }
      case 'javascript':
      case 'javascriptWithScope':
        this.text((value as Code).code);
        return;
      default:
    }
  }
}

/** Bytes of one value of an index with `fieldCount` fields; long values end in their SHA-256 instead. */
export function encodeValue(value: unknown, fieldCount = 1): EncodedValue {
  const writer = new KeyWriter();
  writer.value(value);
  const bytes = writer.bytes.subarray(0, writer.length);
  const limit = Math.floor(maxKeyBytes / fieldCount);
  if (bytes.length <= limit) return { bytes, ordered: writer.ordered };
  const hash = createHash('sha256').update(bytes).digest();
  // Never longer than an uncut one, and never the prefix of one: the length is that of no uncut value.
  return { bytes: Buffer.concat([bytes.subarray(0, limit - hashBytes), hash]), ordered: false };
}

/** The same text for equal values, and only for them. */
export function identityOf(value: unknown): string {
  return typeof value === 'string' ? `"${value}` : encodeValue(value).bytes.toString('latin1');
}

/** Turns bytes round, for a descending field. */
export function invert(bytes: Buffer): Buffer {
  const turned = Buffer.allocUnsafe(bytes.length);
  for (let index = 0; index < bytes.length; index += 1) turned[index] = 0xff ^ (bytes[index] ?? 0);
  return turned;
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
