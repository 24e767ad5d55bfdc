// The keywords of all schemes, by the hashes of their words.
// `general` are keywords of identity numbers in general. A number that passes the check of a scheme
// needs no other. `afterAdjective` follow the adjective of a country.
import generalKeywords from './general-keywords.json' with { type: 'json' };
import { COUNTRIES, NATIONAL_IDS } from './national-ids.ts';
import { PAYMENT_CARD_KEYWORDS } from './payment-card-kinds.ts';
import { hashCharacter, hashPhrase, hashWord, WordTable } from './words.ts';

/**
 * The target of a keyword: the index of a national id in `NATIONAL_IDS`, one of these two
 * constants, or the target of the ambiguous labels of a national id.
 */
export const GENERAL_TARGET: number = NATIONAL_IDS.length;
export const CARD_TARGET: number = NATIONAL_IDS.length + 1;
export const FIRST_AMBIGUOUS_TARGET: number = NATIONAL_IDS.length + 2;

/** One or more words of a text that are a keyword, the beginning of one, or both. */
interface IndexedWords {
  /** The targets of the keyword in ascending order. */
  targets: number[] | undefined;
  /** Whether a keyword continues with another word. */
  isBeginning: boolean;
}

/** A keyword in a script without blanks between words. The scanner searches the text for it. */
interface UnspacedKeyword {
  readonly keyword: string;
  targets: number[];
}

interface KeywordIndex {
  /** Keywords and the beginnings of phrases (the first word, the first two words and so on). */
  readonly words: WordTable<IndexedWords>;
  /** By the first code unit. */
  readonly unspaced: ReadonlyMap<number, readonly UnspacedKeyword[]>;
}

const INITIALS = /^(?:\p{L}\p{M}*\.){2,}$/u;
/** A label that has other words in one word: `bsnnumber`. Two letters would be ambiguous. */
const CAN_BE_COMPOUND = /^[\p{Script=Latin}\p{M}]{3,}(?<!number)$/u;
/** Words after a label in one word, `NIFTRABALHADOR`, and before it, `NRODNI`. */
const WORDS_AFTER =
  'number patient paciente client cliente customer titular empleado trabajador trabalhador aluno alumno persona'.split(
    ' ',
  );
const WORDS_BEFORE = ['nro', 'num', 'numero'];
const UNSPACED_SCRIPT = /[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/u;
/** Conjunctions and prepositions that Arabic joins to the next word. Two of them contract: `لل`. */
const ARABIC = /^[\u0600-\u06ff]/u;
const ARABIC_PREFIXES = ['و', 'ف', 'ب', 'ل'];

/**
 * The words of a keyword as a text has them. Initials keep their full stops, `p.k.`, and match only
 * with these. All other punctuation is optional in a text.
 */
function splitKeyword(keyword: string): string[] {
  return keyword
    .split(/[ '"/-]+/u)
    .flatMap((word) => (INITIALS.test(word) ? word : word.split('.')))
    .filter((word) => word !== '');
}

class IndexBuilder {
  readonly #words = new Map<number, IndexedWords>();
  readonly unspaced = new Map<number, UnspacedKeyword[]>();

  /** Adds a keyword, also in the plural, as one word, and with the prefixes of Arabic. */
  addKeyword(keyword: string, target: number): void {
    if (UNSPACED_SCRIPT.test(keyword)) return this.#addUnspaced(keyword, target);
    const forms = ARABIC.test(keyword)
      ? [keyword, ...ARABIC_PREFIXES.map((prefix) => `${prefix}${keyword}`.replace(/^لال/u, 'لل'))]
      : [keyword];
    for (const form of forms) {
      const words = splitKeyword(form);
      this.#addPhrase(words, target);
      this.#addPhrase([...words.slice(0, -1), `${words.at(-1)}s`], target);
      // A short phrase as one word, such as `tz`, would be ambiguous.
      const joined = words.join('');
      if (words.length > 1 && joined.length > 4) this.#addPhrase([joined], target);
    }
  }

  /** Adds the label of a scheme, also as a part of a compound word. */
  addLabel(label: string, target: number): void {
    this.addKeyword(label, target);
    const word = label.replaceAll(' ', '');
    if (!CAN_BE_COMPOUND.test(word)) return;
    for (const before of WORDS_BEFORE) this.#addPhrase([`${before}${word}`], target);
    if (label === word) for (const after of WORDS_AFTER) this.#addPhrase([`${word}${after}`], target);
  }

  get words(): WordTable<IndexedWords> {
    return new WordTable(this.#words);
  }

  #addPhrase(words: readonly string[], target: number): void {
    let hash = 0;
    words.forEach((word, index) => {
      hash = index === 0 ? hashWord(word) : hashPhrase(hash, hashWord(word));
      const entry = this.#entryOf(hash);
      if (index < words.length - 1) entry.isBeginning = true;
      else if (entry.targets === undefined) entry.targets = [target];
      else if (!entry.targets.includes(target)) entry.targets = [...entry.targets, target].sort((a, b) => a - b);
    });
    const [first = ''] = words;
    if (first.endsWith('#')) this.#entryOf(hashWord(first.slice(0, -1))).isBeginning = true;
  }

  #entryOf(hash: number): IndexedWords {
    const entry = this.#words.get(hash) ?? { targets: undefined, isBeginning: false };
    this.#words.set(hash, entry);
    return entry;
  }

  #addUnspaced(keyword: string, target: number): void {
    const code = keyword.charCodeAt(0);
    const keywords = this.unspaced.get(code) ?? [];
    const known = keywords.find((other) => other.keyword === keyword);
    if (known === undefined) this.unspaced.set(code, [...keywords, { keyword, targets: [target] }]);
    else if (!known.targets.includes(target)) known.targets = [...known.targets, target].sort((a, b) => a - b);
  }
}

function buildIndex(): KeywordIndex {
  const builder = new IndexBuilder();
  const adjectives = new Map(COUNTRIES.map((country) => [country.code, country.adjectives]));
  NATIONAL_IDS.forEach(({ labels, ambiguousLabels = {}, country }, target) => {
    for (const label of Object.values(labels).flat()) builder.addLabel(label, target);
    for (const label of Object.values(ambiguousLabels).flat())
      builder.addKeyword(label, FIRST_AMBIGUOUS_TARGET + target);
    for (const adjective of adjectives.get(country) ?? [])
      for (const ending of generalKeywords.afterAdjective) builder.addKeyword(`${adjective} ${ending}`, target);
  });
  for (const keyword of generalKeywords.general) builder.addKeyword(keyword, GENERAL_TARGET);
  for (const keyword of PAYMENT_CARD_KEYWORDS) builder.addKeyword(keyword, CARD_TARGET);
  return { words: builder.words, unspaced: builder.unspaced };
}

export const KEYWORD_INDEX: KeywordIndex = buildIndex();

/** The hash of a word with the sign for "number" after it: `SS#`. */
export function hashWithNumberSign(hash: number): number {
  return hashCharacter(hash, 35);
}
