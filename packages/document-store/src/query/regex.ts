// Translates patterns from PCRE to JavaScript. `.`, `^`, `$`, `\s` and the options are rewritten.
// Constructs that the two engines read differently are refused, because they would match other
// texts without an error.
import { CommandError } from '../errors.ts';

function refuse(construct: string, pattern: string): never {
  throw new CommandError('BadValue', `${construct} in the regular expression /${pattern}/ is not implemented`);
}

function invalid(reason: string): never {
  throw new CommandError(51091, `Regular expression is invalid: ${reason}`);
}

/** PCRE's white space is ASCII; JavaScript's is not. */
const space = '\\t-\\r\\x20';
const notSpace = '\\0-\\x08\\x0e-\\x1f\\x21-\\u{10ffff}';
/** White space and comments, which the option x ignores. */
const ignored = /^(?:[\t-\r \u0085\u200e\u200f\u2028\u2029]|#[^\n]*\n?)+/;
const quantifier = /^(?:[*+?]|\{\d+(?:,\d*)?\})/;

const maxCount = 65_535;

/** Escapes a character where it has a meaning, inside or outside of a class. */
function literal(character: string): string {
  return /[\^$\\.*+?()[\]{}|/]/.test(character) ? `\\${character}` : character;
}

class Translator {
  readonly #pattern: string;
  readonly #multiline: boolean;
  readonly #dotAll: boolean;
  readonly #extended: boolean;
  readonly #ignoresCase: boolean;
  #rest: string;

  constructor(pattern: string, rest: string, options: ReadonlySet<string>) {
    this.#pattern = pattern;
    this.#rest = rest;
    this.#multiline = options.has('m');
    this.#dotAll = options.has('s');
    this.#extended = options.has('x');
    this.#ignoresCase = options.has('i');
  }

  /** Removes the match of an anchored expression from the start of the rest, and returns it. */
  #take(expression: RegExp): string | undefined {
    const taken = expression.exec(this.#rest)?.[0];
    if (taken !== undefined) this.#rest = this.#rest.slice(taken.length);
    return taken;
  }

  #character(): string {
    return this.#take(/^[^]/u) ?? invalid('it ends with a backslash or within a class');
  }

  translate(): string {
    let source = '';
    let repeatable = false;
    while (this.#rest !== '') {
      if (this.#extended && this.#take(ignored) !== undefined) continue;
      const repeat = this.#take(quantifier);
      if (repeat !== undefined) {
        if (!repeatable) invalid('a quantifier does not follow a repeatable item');
        if (this.#rest.startsWith('+')) refuse('a possessive quantifier', this.#pattern);
        if (repeat.match(/\d+/g)?.some((count) => Number(count) > maxCount)) invalid(`a count above ${maxCount}`);
        source += repeat + (this.#take(/^\?/) ?? '');
        repeatable = false;
        continue;
      }
      const character = this.#character();
      repeatable = !'(|^$'.includes(character);
      source += this.#item(character);
    }
    return source;
  }

  #item(character: string): string {
    switch (character) {
      case '.':
        return this.#dotAll ? '[^]' : '[^\\n]';
      case '^':
        return this.#multiline ? '(?:^|(?<=\\n)(?=[^]))' : '^';
      case '$':
        return this.#multiline ? '(?=\\n|$)' : '(?=\\n?$)';
      case '(':
        return this.#group();
      case ')':
      case '|':
        return character;
      case '[':
        return this.#class();
      case '\\':
        return this.#escape();
      case '{':
        if (/^,\d+\}/.test(this.#rest)) refuse('{,n}', this.#pattern);
        return '\\{';
      default:
        return literal(character);
    }
  }

  #group(): string {
    if (this.#rest.startsWith('*')) refuse('a verb', this.#pattern);
    if (!this.#rest.startsWith('?')) return '(';
    const kind = this.#take(/^\?[:=!]/) ?? refuse(`the group (${this.#rest.slice(0, 3)}`, this.#pattern);
    return `(${kind}`;
  }

  #escape(): string {
    const character = this.#character();
    if ('dDtnrf'.includes(character)) return `\\${character}`;
    if (character === 's') return `[${space}]`;
    if (character === 'S') return `[^${space}]`;
    if ('wWbB'.includes(character)) return this.#word(character);
    return this.#codePoint(character);
  }

  /**
   * With the options i and u, JavaScript counts U+017F and U+212A as word characters; PCRE does
   * not.
   */
  #word(character: string): string {
    return this.#ignoresCase ? refuse(`\\${character} with the option i`, this.#pattern) : `\\${character}`;
  }

  #codePoint(character: string): string {
    if (character === 'x') return `\\x${this.#take(/^[\da-f]{2}/i) ?? refuse('\\x without two digits', this.#pattern)}`;
    return /[\da-z]/i.test(character) ? refuse(`\\${character}`, this.#pattern) : literal(character);
  }

  #class(): string {
    let source = `[${this.#take(/^\^/) ?? ''}`;
    let isFirst = true;
    for (;;) {
      const character = this.#character();
      if (character === ']' && !isFirst) return `${source}]`;
      isFirst = false;
      if (character === '[' && /^[:.=]/.test(this.#rest)) refuse('a class of POSIX', this.#pattern);
      source += character === '\\' ? this.#classEscape(source) : literal(character);
    }
  }

  #classEscape(source: string): string {
    const character = this.#character();
    if (character === '-') return '\\-';
    if (!'dDsSwW'.includes(character))
      return 'tnrfb'.includes(character) ? `\\${character}` : this.#codePoint(character);
    // In PCRE, a hyphen beside a set is a plain character.
    if (/^\[\^?[^]*[^\\]-$/.test(source.replace(/^\[\^?-$/, '')) || /^-[^\]]/.test(this.#rest))
      refuse('a range with a set', this.#pattern);
    if (character === 's') return space;
    if (character === 'S') return notSpace;
    return 'dD'.includes(character) ? `\\${character}` : this.#word(character);
  }
}

/**
 * Compiles a pattern with MongoDB's options i, m, s, x and u; u has no effect. Throws if a
 * construct is not supported.
 */
export function compileRegex(pattern: string, options: string): RegExp {
  const inline = /^\(\?([imsx]+)\)/.exec(pattern);
  const all = new Set(Array.from(options + (inline?.[1] ?? '')));
  for (const option of options) {
    if (!'imsxu'.includes(option)) throw new CommandError(51108, `invalid flag in regex options: ${option}`);
  }
  if (pattern.includes('\0')) throw new CommandError(51109, 'Regular expression cannot contain an embedded null byte');
  const source = new Translator(pattern, pattern.slice(inline?.[0].length ?? 0), all).translate();
  try {
    return new RegExp(source, all.has('i') ? 'iu' : 'u');
  } catch (error) {
    return invalid(error instanceof Error ? error.message : pattern);
  }
}
