/** Keeps texts by the kind of what they say and a number. When it is full, it starts anew. */
export class KeptTexts {
  readonly #most: number;
  readonly #kinds = new Map<string, Map<number, string>>();
  #size = 0;

  /** @param most texts and kinds together. */
  constructor(most: number) {
    this.#most = most;
  }

  /** The texts and kinds that are kept. */
  get size(): number {
    return this.#size;
  }

  /** @returns the function that returns a kept text, or else keeps the one that `write` returns. */
  ofKind(kind: string, write: (number: number) => string): (number: number) => string {
    let texts = this.#kinds.get(kind);
    if (!texts) {
      this.#count();
      texts = new Map();
      this.#kinds.set(kind, texts);
    }
    const known = texts;
    return (number) => {
      let text = known.get(number);
      if (text === undefined) {
        this.#count();
        text = write(number);
        known.set(number, text);
      }
      return text;
    };
  }

  #count(): void {
    if (this.#size >= this.#most) {
      this.#kinds.clear();
      this.#size = 0;
    }
    this.#size += 1;
  }
}
