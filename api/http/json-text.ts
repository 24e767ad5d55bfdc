/**
 * The JSON of a value, in pieces: a large response needs memory for the bytes that are sent, and
 * not for the value or its whole text. `Value` is the type of the value, at compile time only.
 */
export class JsonText<out Value = unknown> {
  declare readonly value: Value;
  /** Texts, and bytes in UTF-8. */
  readonly #pieces: readonly (string | Buffer)[];
  /** In UTF-8. */
  readonly #bytes: number;

  private constructor(pieces: readonly (string | Buffer)[], bytes: number) {
    this.#pieces = pieces;
    this.#bytes = bytes;
  }

  /**
   * @param text valid JSON, byte for byte as `JSON.stringify` writes the value. Counting its bytes
   * makes the engine join the parts of a concatenated text, which saves most of their memory.
   */
  static of<Value>(text: string): JsonText<Value> {
    return new JsonText([text], Buffer.byteLength(text));
  }

  /** @param bytes valid JSON, as `of` takes it, in UTF-8. They must not change. */
  static ofBytes<Value>(bytes: Buffer): JsonText<Value> {
    return new JsonText([bytes], bytes.length);
  }

  static write<Value>(value: Value): JsonText<Value> {
    return JsonText.of(JSON.stringify(value));
  }

  static list<Item>(items: readonly JsonText<Item>[]): JsonText<Item[]> {
    const pieces: (string | Buffer)[] = ['['];
    let bytes = '[]'.length + Math.max(0, items.length - 1);
    for (const [position, item] of items.entries()) {
      if (position > 0) pieces.push(',');
      for (const piece of item.#pieces) pieces.push(piece);
      bytes += item.#bytes;
    }
    pieces.push(']');
    return new JsonText(pieces, bytes);
  }

  /** @param fields in the order of the object. */
  static object<Value extends object>(
    fields: {
      readonly [Name in keyof Value]: JsonText<Value[Name]>;
    },
  ): JsonText<Value> {
    const pieces: (string | Buffer)[] = [];
    let bytes = 0;
    for (const [name, field] of Object.entries<JsonText>(fields)) {
      const start = `${pieces.length === 0 ? '{' : ','}${JSON.stringify(name)}:`;
      pieces.push(start);
      for (const piece of field.#pieces) pieces.push(piece);
      bytes += Buffer.byteLength(start) + field.#bytes;
    }
    const end = pieces.length === 0 ? '{}' : '}';
    pieces.push(end);
    return new JsonText(pieces, bytes + end.length);
  }

  /** Encodes each piece in UTF-8, which takes a fourth of the time of one long text. */
  toBytes(): Buffer {
    const [first] = this.#pieces;
    if (this.#pieces.length === 1 && Buffer.isBuffer(first)) return first;
    const bytes = Buffer.allocUnsafe(this.#bytes);
    let at = 0;
    for (const piece of this.#pieces) {
      at += typeof piece === 'string' ? bytes.write(piece, at) : piece.copy(bytes, at);
    }
    return bytes;
  }

  toString(): string {
    return this.#pieces.join('');
  }
}
