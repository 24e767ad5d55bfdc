/**
 * A value that is written as JSON already. A large answer is written piece by piece, so that no object of it exists as a
 * whole; `Value` types it and has no value at run time.
 */
export class JsonText<out Value = unknown> {
  declare readonly value: Value;
  readonly #text: string;

  private constructor(text: string) {
    this.#text = text;
  }

  /** @param text valid JSON, byte for byte as `JSON.stringify` writes the value. */
  static of<Value>(text: string): JsonText<Value> {
    return new JsonText(text);
  }

  static write<Value>(value: Value): JsonText<Value> {
    return new JsonText(JSON.stringify(value));
  }

  static list<Item>(items: readonly JsonText<Item>[]): JsonText<Item[]> {
    return new JsonText(`[${items.map((item) => item.#text).join(',')}]`);
  }

  /** An object of fields that are written already, in their order. */
  static object<Value extends object>(
    fields: { readonly [Name in keyof Value]: JsonText<Value[Name]> },
  ): JsonText<Value> {
    const written = Object.entries<JsonText>(fields).map(([name, field]) => `${JSON.stringify(name)}:${field.#text}`);
    return new JsonText(`{${written.join(',')}}`);
  }

  toString(): string {
    return this.#text;
  }
}
