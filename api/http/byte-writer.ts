/** The two hexadecimal digits of each byte. */
const [highDigits, lowDigits] = [0, 1].map((at) =>
  Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0').charCodeAt(at)),
) as [Uint8Array, Uint8Array];

/** A longer text takes less time in one call of the engine than in a loop. */
const shortLength = 16;

/**
 * Puts together the bytes of a text from many short parts, without the text and its parts in
 * memory.
 */
export class ByteWriter {
  #bytes: Buffer;
  #length = 0;

  /** @param expected bytes. More are possible as well. */
  constructor(expected: number) {
    this.#bytes = Buffer.allocUnsafe(expected);
  }

  get length(): number {
    return this.#length;
  }

  /** The bytes written so far. */
  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  copy(source: Uint8Array): void {
    this.#reserve(source.length);
    this.#bytes.set(source, this.#length);
    this.#length += source.length;
  }

  /** Copies up to the next `end`, which is not copied. @returns where it is in the source. */
  copyUntil(end: number, source: Uint8Array, start: number): number {
    this.#reserve(source.length - start);
    const bytes = this.#bytes;
    let length = this.#length;
    let at = start;
    for (; at < source.length; at += 1) {
      const byte = source[at] as number;
      if (byte === end) break;
      bytes[length] = byte;
      length += 1;
    }
    this.#length = length;
    return at;
  }

  /** Writes a text of ASCII characters only. */
  ascii(text: string): void {
    this.#reserve(text.length);
    if (text.length > shortLength) {
      this.#length += this.#bytes.write(text, this.#length, 'latin1');
      return;
    }
    for (let at = 0; at < text.length; at += 1) this.#bytes[this.#length + at] = text.charCodeAt(at);
    this.#length += text.length;
  }

  /** Writes bytes in hexadecimal. */
  hex(source: Uint8Array, start: number, end: number): void {
    this.#reserve(2 * (end - start));
    const bytes = this.#bytes;
    let length = this.#length;
    for (let at = start; at < end; at += 1) {
      const byte = source[at] as number;
      bytes[length] = highDigits[byte] as number;
      bytes[length + 1] = lowDigits[byte] as number;
      length += 2;
    }
    this.#length = length;
  }

  #reserve(more: number): void {
    const needed = this.#length + more;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(needed, 2 * this.#bytes.length));
    larger.set(this.bytes);
    this.#bytes = larger;
  }
}
