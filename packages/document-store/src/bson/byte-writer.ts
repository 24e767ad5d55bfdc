/** A buffer that grows. `bytes` is replaced when it does. */
export class ByteWriter {
  bytes = Buffer.allocUnsafe(64);
  length = 0;

  /** @returns where `count` new bytes begin; the caller writes them. */
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

  raw(bytes: Uint8Array): void {
    const at = this.reserve(bytes.length);
    this.bytes.set(bytes, at);
  }

  copy(source: Buffer, start: number, end: number): void {
    const at = this.reserve(end - start);
    source.copy(this.bytes, at, start, end);
  }

  /** In UTF-8. @returns the number of bytes. */
  utf8(text: string): number {
    const length = Buffer.byteLength(text);
    const at = this.reserve(length);
    this.bytes.write(text, at);
    return length;
  }

  finish(): Buffer {
    return this.bytes.subarray(0, this.length);
  }
}
