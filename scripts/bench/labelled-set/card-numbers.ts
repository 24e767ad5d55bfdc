import { digits, type Random } from '../generated-numbers.ts';
import { luhnDigit } from './check-digits.ts';
import { between, writeAs } from './ids/id-scheme.ts';

interface CardForm {
  readonly prefix: (random: Random) => string;
  readonly length: number;
  readonly forms: readonly string[];
}

const FOURS = ['################', '#### #### #### ####', '####-####-####-####'];

/** Cards that are personal data without a label, at the length and in the groups of their brand. */
const PLAIN_CARDS: readonly CardForm[] = [
  { prefix: () => '4', length: 16, forms: FOURS },
  { prefix: (random) => between(random, 51, 55), length: 16, forms: FOURS },
  { prefix: (random) => between(random, 2221, 2720), length: 16, forms: FOURS },
  {
    prefix: (random) => random.pick(['34', '37']),
    length: 15,
    forms: ['###############', '#### ###### #####', '####-######-#####'],
  },
  { prefix: (random) => random.pick(['6011', '65', '644']), length: 16, forms: FOURS },
  {
    prefix: (random) => random.pick(['36', '38', '300', '305']),
    length: 14,
    forms: ['##############', '#### ###### ####'],
  },
  { prefix: (random) => between(random, 3528, 3589), length: 16, forms: FOURS },
  { prefix: () => '62', length: 16, forms: FOURS },
  { prefix: () => '4', length: 19, forms: ['#### #### #### #### ###', '####-####-####-####-###'] },
  { prefix: () => '62', length: 19, forms: ['#### #### #### #### ###'] },
];

/** Cards that need a label: bare lengths and issuers that other numbers share. */
const LABELLED_CARDS: readonly CardForm[] = [
  { prefix: () => '4', length: 13, forms: ['#############'] },
  { prefix: () => '4', length: 19, forms: ['###################'] },
  { prefix: () => '62', length: 19, forms: ['###################'] },
  { prefix: () => '62', length: 17, forms: ['#################'] },
  { prefix: (random) => random.pick(['5018', '5020', '6304', '6759']), length: 16, forms: FOURS },
  { prefix: (random) => random.pick(['5018', '6304', '6759']), length: 18, forms: ['##################'] },
  { prefix: (random) => between(random, 2200, 2204), length: 16, forms: FOURS },
  { prefix: () => '9792', length: 16, forms: FOURS },
  { prefix: (random) => between(random, 5085, 5089), length: 16, forms: FOURS },
];

export function plainCard(random: Random): string {
  return write(random, random.pick(PLAIN_CARDS));
}

export function anyCard(random: Random): string {
  return write(random, random.pick([...PLAIN_CARDS, ...LABELLED_CARDS]));
}

/** Sixteen digits without separators, as a field of a message holds them. */
export function bareCard(random: Random): string {
  return complete(random, random.pick(['4', '4', '51', '55', '2223', '6011']), 16);
}

/** The digits and the form of a card whose check digit is wrong. */
export function wrongCard(random: Random): string {
  const card = bareCard(random);
  return writeAs(random.pick(FOURS), card.slice(0, -1) + ((Number(card.at(-1)) + 1 + random.below(9)) % 10));
}

/** A number with a correct Luhn digit that begins with `prefix`. */
export function complete(random: Random, prefix: string, length: number): string {
  const body = prefix + digits(random, length - 1 - prefix.length);
  return `${body}${luhnDigit(body)}`;
}

function write(random: Random, { prefix, length, forms }: CardForm): string {
  return writeAs(random.pick(forms), complete(random, prefix(random), length));
}
