// Groups lines by their text without its changing parts, by a tree of fixed depth as Drain does
// (He et al., ICWS 2017): first by the number of words, then by the first words, then by the
// likeness of all words. Only redacted text comes here.
import { emptySums, type GroupSums, mergeSums } from './group-sums.ts';

interface Pattern {
  words: readonly string[];
  sums: GroupSums;
}

const wildcard = '<*>';
/** Words that lead to the patterns of a line. */
const keyWords = 2;
/** Other first words of a node are one. */
const maxChildren = 100;
/** The least share of common words of a line and its pattern; chosen on labelled logs. */
const leastLikeness = 0.75;
const maxWords = 60;

/** Numbers, hexadecimal numbers and addresses, and everything that is made of them. */
const changing =
  /(?<![A-Za-z])(?:0[xX][\da-fA-F]+|(?=[a-fA-F]*\d)[\da-fA-F]{6,}(?![\dA-Za-z])|[+-]?\d+(?:[.,:/_-]?\d+)*)|\d+/g;
const names = /\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b/;
/** Where the time of a line is. */
const headCharacters = 40;

/** The words of a line, with a wildcard in place of what changes. */
function wordsOf(text: string): string[] {
  const words: string[] = [];
  let start = -1;
  let hasDigit = false;
  for (let at = 0; at <= text.length; at += 1) {
    const code = at < text.length ? text.charCodeAt(at) : blank;
    if (code > blank && code !== noBreakSpace) {
      if (start === -1) start = at;
      if (code >= 0x30 && code <= 0x39) hasDigit = true;
    } else if (start !== -1) {
      if (words.length === maxWords) return [...words, '…'];
      const word = text.slice(start, at);
      if (hasDigit) words.push(word.replace(changing, wildcard));
      else words.push(start < headCharacters ? word.replace(names, wildcard) : word);
      start = -1;
      hasDigit = false;
    }
  }
  return words.length > 0 ? words : [''];
}

const [blank, noBreakSpace] = [0x20, 0xa0];

interface Node {
  children: Map<string, Node>;
  patterns: Pattern[];
}

const createNode = (): Node => ({ children: new Map(), patterns: [] });

/** Holds at most so many patterns; the rarest are folded into one. */
export class PatternTree {
  readonly #maxPatterns: number;
  #root = createNode();
  #count = 0;
  /**
   * Found by the text of a line in which numbers are wildcards: most lines differ in these only.
   */
  readonly #found = new Map<string, GroupSums>();
  /** The sums of patterns that were dropped. */
  readonly rest = emptySums();

  constructor(maxPatterns: number) {
    this.#maxPatterns = maxPatterns;
  }

  /** The sums of the pattern that a line belongs to. */
  findLine(text: string): GroupSums {
    const key = text.replace(changing, wildcard);
    const known = this.#found.get(key);
    if (known) return known;
    const sums = this.find(wordsOf(text));
    if (this.#found.size >= this.#maxPatterns) this.#found.clear();
    this.#found.set(key, sums);
    return sums;
  }

  /** The sums of the pattern that words belong to. */
  find(words: readonly string[]): GroupSums {
    const node = this.#nodeOf(words);
    let best: Pattern | undefined;
    let most = -1;
    for (const pattern of node.patterns) {
      const likeness = likenessOf(pattern.words, words);
      if (likeness > most) [best, most] = [pattern, likeness];
    }
    if (best && most >= leastLikeness) {
      if (most < 1) best.words = best.words.map((word, at) => (word === words[at] ? word : wildcard));
      return best.sums;
    }
    if (this.#count >= this.#maxPatterns) {
      this.#dropRarest();
      return this.find(words);
    }
    const sums = emptySums();
    node.patterns.push({ words, sums });
    this.#count += 1;
    return sums;
  }

  patterns(): Pattern[] {
    const found: Pattern[] = [];
    const walk = ({ children, patterns }: Node) => {
      found.push(...patterns);
      for (const child of children.values()) walk(child);
    };
    walk(this.#root);
    return found;
  }

  #nodeOf(words: readonly string[]): Node {
    let node = childOf(this.#root, String(words.length), Number.POSITIVE_INFINITY);
    for (let at = 0; at < Math.min(keyWords, words.length); at += 1) {
      const word = words[at] as string;
      node = childOf(node, word.includes(wildcard) ? wildcard : word, maxChildren);
    }
    return node;
  }

  /** Halves the number of patterns. */
  #dropRarest(): void {
    const all = this.patterns().sort((one, other) => other.sums.entries - one.sums.entries);
    const kept = all.slice(0, Math.floor(this.#maxPatterns / 2));
    for (const { sums } of all.slice(kept.length)) mergeSums(this.rest, sums);
    this.#root = createNode();
    this.#found.clear();
    this.#count = kept.length;
    for (const pattern of kept) this.#nodeOf(pattern.words).patterns.push(pattern);
  }
}

function childOf({ children }: Node, key: string, most: number): Node {
  const known = children.get(key);
  if (known) return known;
  const name = children.size < most ? key : wildcard;
  const child = children.get(name) ?? createNode();
  children.set(name, child);
  return child;
}

/** The share of the words that two lines have in common, without those that change in both. */
function likenessOf(one: readonly string[], other: readonly string[]): number {
  let [common, all] = [0, 0];
  for (let at = 0; at < one.length; at += 1) {
    if (one[at] === wildcard) continue;
    all += 1;
    if (one[at] === other[at]) common += 1;
  }
  return all === 0 ? 1 : common / all;
}
