// Checks the BSON of a message before anything of it is used or stored: a malformed document in a
// collection fails every search that reads it.
import { isUtf8 } from 'node:buffer';
import { CommandError } from '../errors.ts';
import { bsonTypes, fixedSizes } from './types.ts';
import { malformed } from './value.ts';

/** MongoDB's limit for documents in documents. */
const maxDepth = 200;
/** Shorter strings are checked for ASCII in a loop, which is faster than a call of `isUtf8`. */
const longText = 64;

class Validator {
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** Checks a document that must end by `limit`. @returns where it ends. */
  document(start: number, limit: number, depth: number): number {
    if (depth > maxDepth)
      throw new CommandError('Overflow', `BSONObj exceeds maximum nested object depth: ${maxDepth}`);
    const end = start + this.#length(start, limit, 5);
    if (end > limit) malformed('a document that is longer than its container');
    if (this.#bytes[end - 1] !== 0) malformed('a document without end');
    let at = start + 4;
    while (at < end - 1) {
      const type = this.#bytes[at] ?? 0;
      at = this.#value(type, this.#cString(at + 1, end - 1), end - 1, depth);
      if (at > end - 1) malformed('a value that is longer than its document');
    }
    return end;
  }

  #length(at: number, limit: number, least: number): number {
    if (at + 4 > limit) malformed('a value without length');
    const length = this.#bytes.readInt32LE(at);
    return length < least ? malformed(`a length of ${length}`) : length;
  }

  #value(type: number, at: number, limit: number, depth: number): number {
    if (type === bsonTypes.bool && (this.#bytes[at] ?? 2) > 1) malformed('a boolean that is neither 0 nor 1');
    const size = fixedSizes.get(type);
    if (size !== undefined) return at + size;
    switch (type) {
      case bsonTypes.string:
        return this.#string(at, limit);
      case bsonTypes.object:
      case bsonTypes.array:
        return this.document(at, limit, depth + 1);
      case bsonTypes.binData:
        return at + 5 + this.#length(at, limit, 0);
      default:
        return malformed(`a value of type ${type}, which is unknown or not implemented`);
    }
  }

  #string(at: number, limit: number): number {
    const end = at + 4 + this.#length(at, limit, 1);
    if (end > limit) malformed('a string that is longer than its document');
    if (this.#bytes[end - 1] !== 0) malformed('a string without end');
    this.#text(at + 4, end - 1);
    return end;
  }

  /** @returns where the value after the name begins. */
  #cString(start: number, limit: number): number {
    let end = start;
    while (end < limit && this.#bytes[end] !== 0) end += 1;
    if (end >= limit) malformed('a name without end');
    this.#text(start, end);
    return end + 1;
  }

  #text(start: number, end: number): void {
    if (end - start <= longText) {
      let at = start;
      while (at < end && (this.#bytes[at] ?? 0) < 0x80) at += 1;
      if (at === end) return;
    }
    if (!isUtf8(this.#bytes.subarray(start, end))) malformed('a string that is not UTF-8');
  }
}

/**
 * Checks that `bytes` is one document. Throws InvalidBSON, or Overflow if it is nested too deeply.
 */
export function validateDocument(bytes: Buffer): void {
  if (new Validator(bytes).document(0, bytes.length, 1) !== bytes.length) malformed('a document of a wrong length');
}
