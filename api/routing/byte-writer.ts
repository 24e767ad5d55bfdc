/** The two hexadecimal digits of each byte. */
const [highDigits, lowDigits] = [0, 1].map((at) =>
  Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0').charCodeAt(at)),
) as [Uint8Array, Uint8Array];

/** Puts together the bytes of a text from many short parts, without the text and its parts in memory. */
export class ByteWriter {
  #bytes: Buffer;
  #length = 0;

  /** @param expected bytes. More are as well possible. */
  constructor(expected: number) {
    this.#bytes = Buffer.allocUnsafe(expected);
  }

  get length(): number {
    return this.#length;
  }

  /** What is written. */
  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Writes a text of ASCII characters only. */
  ascii(text: string): void {
    this.#reserve(text.length);
    this.#length += this.#bytes.write(text, this.#length, 'latin1');
  }

  /** Writes a text in UTF-8. */
  text(text: string): void {
    this.#reserve(3 * text.length);
    this.#length += this.#bytes.write(text, this.#length);
  }

  copy(source: Buffer, start: number, end: number): void {
    this.#reserve(end - start);
    this.#length += source.copy(this.#bytes, this.#length, start, end);
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
