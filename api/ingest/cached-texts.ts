/** Caches texts by their kind and a number. A full cache is emptied. */
export class CachedTexts {
  readonly #most: number;
  readonly #kinds = new Map<string, Map<number, string>>();
  #size = 0;

  /** @param most texts and kinds together. */
  constructor(most: number) {
    this.#most = most;
  }

  /** The cached texts and kinds. */
  get size(): number {
    return this.#size;
  }

  /** @returns a function that returns the cached text, or caches the one that `write` returns. */
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
