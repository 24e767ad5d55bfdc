import { headerBytes, maxMessageBytes, ProtocolError } from './wire-message.ts';

/**
 * `maxMessageBytes` is for the documents of a message; this adds the header and the other fields.
 */
const longestMessage = maxMessageBytes + 16 * 1024;

/** Cuts the bytes of a connection into messages. */
export class MessageBuffer {
  #chunks: Buffer[] = [];
  #length = 0;

  /** Yields the messages that are complete now. @throws ProtocolError for an invalid length. */
  *add(chunk: Buffer): Generator<Buffer> {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    while (this.#length >= 4) {
      const length = this.#readLength();
      if (length < headerBytes || length > longestMessage) {
        throw new ProtocolError(`a message of ${length} bytes`);
      }
      if (this.#length < length) return;
      yield this.#take(length);
    }
  }

  #readLength(): number {
    const [first] = this.#chunks;
    if (first && first.length >= 4) return first.readInt32LE(0);
    const joined = Buffer.concat(this.#chunks);
    this.#chunks = [joined];
    return joined.readInt32LE(0);
  }

  #take(length: number): Buffer {
    const [first] = this.#chunks;
    if (first && first.length === length && this.#chunks.length === 1) {
      this.#chunks = [];
      this.#length = 0;
      return first;
    }
    const joined = this.#chunks.length === 1 && first ? first : Buffer.concat(this.#chunks, this.#length);
    const rest = joined.subarray(length);
    this.#chunks = rest.length > 0 ? [rest] : [];
    this.#length = rest.length;
    return joined.subarray(0, length);
  }
}
