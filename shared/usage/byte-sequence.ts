// Bytes that are written and read in one sequence: counters as variable-length integers, seven bits
// a byte, the lowest first.

const maxSafe = BigInt(Number.MAX_SAFE_INTEGER);

export class SequenceWriter {
  #bytes = new Uint8Array(512);
  #length = 0;

  /** @param value not negative. */
  integer(value: number | bigint): void {
    let rest = value;
    for (; typeof rest === 'bigint' && rest > maxSafe; rest >>= 7n) this.#byte(Number(rest & 0x7fn) | 0x80);
    let small = Number(rest);
    for (; small >= 0x80; small = Math.floor(small / 0x80)) this.#byte((small % 0x80) | 0x80);
    this.#byte(small);
  }

  bytes(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** A copy, which shares its memory with nothing: threads send the whole memory of a view. */
  result(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  #byte(byte: number): void {
    this.#reserve(1);
    this.#bytes[this.#length] = byte;
    this.#length += 1;
  }

  #reserve(length: number): void {
    if (this.#length + length <= this.#bytes.length) return;
    const larger = new Uint8Array(2 * (this.#length + length));
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}

/** Reads what a `SequenceWriter` has written. Each read throws a RangeError at the end. */
export class SequenceReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    // Slices of a Buffer are views, not copies.
    this.#bytes = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  /** An integer below 2^49. */
  small(): number {
    let value = 0;
    for (let factor = 1; factor < 2 ** 49; factor *= 0x80) {
      const byte = this.#byte();
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
    throw new RangeError('An integer is too large.');
  }

  integer(): bigint {
    let value = 0;
    for (let factor = 1; factor < 2 ** 49; factor *= 0x80) {
      const byte = this.#byte();
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return BigInt(value);
    }
    return BigInt(value) + (this.integer() << 49n);
  }

  /** A view. */
  bytes(length: number): Uint8Array {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new RangeError('The bytes end too early.');
    const bytes = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return bytes;
  }

  #byte(): number {
    const byte = this.#bytes[this.#at];
    if (byte === undefined) throw new RangeError('The bytes end too early.');
    this.#at += 1;
    return byte;
  }
}
