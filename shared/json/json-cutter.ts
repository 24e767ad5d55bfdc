import { JsonTokens } from './json-tokens.ts';

/**
 * Divides a JSON text, as it arrives, into the values at one level of nesting and the rest, so that
 * it can be parsed in parts. Whether a part is valid JSON is left to `JSON.parse`.
 */

export interface CutLimits {
  /** Where objects and lists are cut out: 2 for the items of a list. */
  readonly level: number;
  /** Fields and items outside of the parts, together with the number of parts. */
  readonly values: number;
  /** Levels of a part, including itself. */
  readonly partLevels: number;
  /** Fields and items of a part, at all levels. */
  readonly partValues: number;
}

/** An object or a list of the text. */
export interface CutPart {
  /** Bytes of the body. */
  readonly start: number;
  readonly end: number;
  /** Fields and items, at all levels. */
  readonly values: number;
  /** The first limit that the part exceeds. It must not be parsed then. */
  readonly excess: 'levels' | 'values' | null;
}

export class JsonCutter {
  readonly #limits: CutLimits;
  readonly #tokens = new JsonTokens();
  readonly #parts: CutPart[] = [];
  #isBroken = false;
  #level = 0;
  #values = 0;
  #start = 0;
  #partValues = 0;
  #excess: CutPart['excess'] = null;

  constructor(limits: CutLimits) {
    this.#limits = limits;
  }

  /**
   * Scans the next piece of the body. @returns whether the values outside of the parts are still
   * within their limit.
   */
  push(piece: Uint8Array): boolean {
    const tokens = this.#tokens;
    tokens.push(piece);
    for (let token = tokens.next(); token !== null; token = tokens.next()) {
      if (token === 'comma') this.#count();
      else if (token === 'open') this.#open(tokens.start);
      else if (token === 'close') this.#close(tokens.end);
      else if (token === 'brokenString') this.#isBroken = true;
    }
    return this.#values <= this.#limits.values;
  }

  /** The parts in order; null if brackets or a string are not closed. */
  finish(): readonly CutPart[] | null {
    return this.#level === 0 && !this.#tokens.isInString && !this.#isBroken ? this.#parts : null;
  }

  #open(position: number): void {
    this.#level += 1;
    const { level, partLevels } = this.#limits;
    if (this.#level === level) {
      this.#start = position;
      this.#partValues = 0;
      this.#excess = null;
      this.#values += 1;
    } else if (this.#level >= level + partLevels) this.#excess ??= 'levels';
    this.#count();
  }

  #close(end: number): void {
    if (this.#level === this.#limits.level) {
      this.#parts.push({ start: this.#start, end, values: this.#partValues, excess: this.#excess });
    }
    this.#level -= 1;
  }

  /**
   * Every value but the first of its object or list follows a comma; the first is counted with the
   * bracket.
   */
  #count(): void {
    const { level, partValues } = this.#limits;
    if (this.#level < level) this.#values += 1;
    else {
      this.#partValues += 1;
      if (this.#partValues > partValues) this.#excess ??= 'values';
    }
  }
}
