import type { Random } from '../generated-numbers.ts';
import { anyCard, bareCard, plainCard, wrongCard } from './card-numbers.ts';
import { type IdScheme, writeAs } from './ids/id-scheme.ts';
import { schemeOf } from './ids/id-schemes.ts';
import { createLookalikes, type Lookalikes } from './lookalikes.ts';
import { mark } from './marks.ts';
import type { Vocabulary } from './vocabulary.ts';

/** A key or label, and a value that may be marked as personal data. */
interface Pair {
  readonly name: string;
  readonly value: string;
}

/** Values for one line. Those of the first group are marked as personal data. */
export interface Values extends Lookalikes {
  email(): string;
  /** A card that needs no label. */
  card(): string;
  bareCard(): string;
  cardField(): Pair;
  cardPhrase(): Pair;
  /** A national id in a form that needs no label. */
  id(): string;
  idField(): Pair;
  idPhrase(): Pair;
  /** A national id of the scheme, in any of its forms. */
  idOf(scheme: string): string;

  address(): string;
  wrongCard(): string;
  /** The label of a scheme, with a number whose check digit is wrong. */
  wrongIdField(): Pair;
  wrongIdPhrase(): Pair;
  /** A valid number in a form that is not personal data without a label. */
  unlabelledId(): string;
  pick<T>(list: readonly T[]): T;
}

/**
 * Creates the values of a set of lines. Every scheme occurs equally often, because `idField` and
 * the others go through the list of schemes.
 */
export function createValues(random: Random, vocabulary: Vocabulary): Values {
  const { pick } = random;
  const { schemes, cardLabels, cardKeys } = vocabulary;
  const cycle = (list: readonly IdScheme[]): (() => IdScheme) => {
    let next = 0;
    return () => list[next++ % list.length] as IdScheme;
  };
  const nextAny = { field: cycle(schemes), phrase: cycle(schemes) };
  const nextAlone = cycle(schemes.filter(({ alone }) => alone));
  const nextChecked = cycle(schemes.filter(({ isCheckable }) => isCheckable));
  const nextBare = cycle(schemes.filter(({ labelled }) => labelled?.some((form) => /^#+$/.test(form))));

  const formOf = (scheme: IdScheme) => pick([...(scheme.alone ?? []), ...(scheme.labelled ?? [])]);
  const idOf = (scheme: IdScheme) => mark('national_id', writeAs(formOf(scheme), scheme.make(random)));
  const wrongId = (scheme: IdScheme) => writeAs(formOf(scheme), withWrongEnd(scheme.make(random)));
  const address = () => addressOf(random, vocabulary);
  return {
    ...createLookalikes(random),
    pick,
    address,
    email: () => mark('email', address()),
    card: () => mark('payment_card', plainCard(random)),
    bareCard: () => mark('payment_card', bareCard(random)),
    cardField: () => ({ name: keyStyle(random, pick(cardKeys)), value: mark('payment_card', anyCard(random)) }),
    cardPhrase: () => ({ name: pick(cardLabels), value: mark('payment_card', anyCard(random)) }),
    id: () => {
      const scheme = nextAlone();
      return mark('national_id', writeAs(pick(scheme.alone ?? []), scheme.make(random)));
    },
    idOf: (name) => idOf(schemeOf(name)),
    idField: () => {
      const scheme = nextAny.field();
      return { name: keyStyle(random, pick(scheme.keys)), value: idOf(scheme) };
    },
    idPhrase: () => {
      const scheme = nextAny.phrase();
      return { name: pick(scheme.labels), value: idOf(scheme) };
    },
    wrongCard: () => wrongCard(random),
    wrongIdField: () => {
      const scheme = nextChecked();
      return { name: keyStyle(random, pick(scheme.keys)), value: wrongId(scheme) };
    },
    wrongIdPhrase: () => {
      const scheme = nextChecked();
      return { name: pick(scheme.labels), value: wrongId(scheme) };
    },
    unlabelledId: () => {
      const scheme = nextBare();
      const form = (scheme.labelled ?? []).find((candidate) => /^#+$/.test(candidate)) as string;
      return writeAs(form, scheme.make(random));
    },
  };
}

/** Names a field as a program does: `nr pesel` becomes `nr_pesel`, `nrPesel` or `NR_PESEL`. */
function keyStyle(random: Random, words: string): string {
  const parts = [...random.pick([[], [], [], ['customer'], ['applicant']]), ...words.split(' ')];
  const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
  const styles = [
    () => parts.join('_'),
    () => parts.join('_').toUpperCase(),
    () => parts.join('-'),
    () => parts.map(capital).join(''),
    () => (parts[0] as string) + parts.slice(1).map(capital).join(''),
    () => parts.join('.'),
  ];
  return random.pick(styles)();
}

function addressOf(random: Random, { firstNames, lastNames, domains }: Vocabulary): string {
  const { pick } = random;
  const first = pick(firstNames);
  const last = pick(lastNames);
  const locals = [
    `${first}.${last}`,
    `${first}_${last}${random.below(99)}`,
    `${first}+news`,
    last,
    `${first.charAt(0)}${last}`,
  ];
  const address = `${pick(locals)}@${pick(domains)}`;
  return random.below(12) === 0 ? address.toUpperCase() : address;
}

/** The last digit is increased, or the letter that ends the number replaced by another one. */
function withWrongEnd(number: string): string {
  const last = number.at(-1) as string;
  const wrong = /\d/.test(last) ? String((Number(last) + 1) % 10) : last === 'A' ? 'B' : 'A';
  return number.slice(0, -1) + wrong;
}
