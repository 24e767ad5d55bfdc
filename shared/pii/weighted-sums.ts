// Checks of weighted sums modulo a number. Whatever a scheme does with a character before it is
// added is in a table, so that a check is one addition for each character.
import { CHARACTERS, type Check, numberAt } from './checksums.ts';
import { either, flag, integer, listOf, type OptionalFields, recordOf, text } from './data-fields.ts';

const COUNT = CHARACTERS.length;

/** The parameters of the products of a sum. */
export const PRODUCTS = {
  /** The index of the first character. Default: the last weight is that of the last character. */
  from: integer,
  /** A number that is added to the sum. */
  add: integer,
  /**
   * The values of characters: an alphabet, in which each has its index, or the values themselves.
   * Default: 0 to 9 for digits, 10 to 35 for letters.
   */
  values: either(text, recordOf(integer)),
  /** The index of a letter that counts as two digits, its index in `letters`, with two weights. */
  letterAt: integer,
  letters: text,
  /** The digits of each product are added, instead of the product. */
  digitSums: flag,
};

/** The parameters of the result of a sum. */
export const RESULTS = {
  /** The index of the first check character. Default: the last characters of the value. */
  at: integer,
  /** The number of check digits. Default: 1. */
  checkDigits: integer,
  /** The result is what is lacking to the modulus, instead of the remainder. */
  complement: flag,
  /** The check characters of results that are not check characters themselves. 10 would be `A`. */
  replace: recordOf(either(integer, text)),
  /** The check characters of all results, in their order. */
  table: text,
  /** The weights of a second sum, whose result counts if the first is 10. */
  secondWeights: listOf(integer),
};

type Products = OptionalFields<typeof PRODUCTS> & { readonly modulus: number };
type WeightParameters = Products & OptionalFields<typeof RESULTS> & { readonly weights: readonly number[] };

const positiveRemainder = (number: number, modulus: number): number => ((number % modulus) + modulus) % modulus;

/** A sum of products, which are in a table by index and character. */
interface Sum {
  readonly products: Uint16Array;
  /** The number of characters. */
  readonly count: number;
  readonly add: number;
  readonly modulus: number;
}

/** The remainder of a sum whose first character is at `start`. */
function remainderOf({ products, count, add, modulus }: Sum, value: Uint8Array, start: number): number {
  let sum = add;
  // Shorter values have no digits for the first weights.
  for (let i = start < 0 ? -start : 0; i < count; i++)
    sum += products[i * COUNT + (value[start + i] as number)] as number;
  return sum % modulus;
}

function compileProducts(weights: readonly number[], parameters: Products): Sum {
  const { modulus, add = 0, letterAt = weights.length, letters = '' } = parameters;
  const count = parameters.letterAt === undefined ? weights.length : weights.length - 1;
  const weigh = (value: number, i: number): number => {
    const product = value * (weights[i] as number);
    return parameters.digitSums ? Math.floor(product / 10) + (product % 10) : product;
  };
  const products = Uint16Array.from({ length: count * COUNT }, (_, index) => {
    const i = Math.floor(index / COUNT);
    const code = index % COUNT;
    const pair = letters.indexOf(CHARACTERS.charAt(code));
    const product =
      i === letterAt
        ? weigh(Math.floor(pair / 10), i) + weigh(pair % 10, i + 1)
        : weigh(valueOf(code, parameters.values), i < letterAt ? i : i + 1);
    return positiveRemainder(product, modulus);
  });
  return { products, count, add: positiveRemainder(add, modulus), modulus };
}

function valueOf(code: number, values: Products['values'] = {}): number {
  const character = CHARACTERS.charAt(code);
  if (typeof values === 'string') return values.includes(character) ? values.indexOf(character) : code;
  return values[character] ?? code;
}

/** Compares the result of a weighted sum with the check characters. */
export function compileWeights(parameters: WeightParameters): Check {
  const { weights, from, checkDigits = 1, at = -checkDigits, replace = {}, table, secondWeights } = parameters;
  const { modulus, complement } = parameters;
  const sum = compileProducts(weights, parameters);
  const secondSum = secondWeights && compileProducts(secondWeights, parameters);
  // By remainder, before any of them is replaced.
  const results = Array.from({ length: modulus }, (_, remainder) =>
    complement ? (modulus - remainder) % modulus : remainder,
  );
  const expected = Int32Array.from(results, (result) => {
    const replaced = table === undefined ? (replace[result] ?? result) : table.charAt(result);
    return typeof replaced === 'string' ? CHARACTERS.indexOf(replaced) : replaced;
  });
  return (value, length) => {
    const checkAt = at < 0 ? length + at : at;
    const start = from ?? checkAt - sum.count;
    let remainder = remainderOf(sum, value, start);
    if (secondSum !== undefined && results[remainder] === 10) remainder = remainderOf(secondSum, value, start);
    return expected[remainder] === numberAt(value, checkAt, checkDigits);
  };
}

/** Compares the remainder of the number before the check characters with these. */
export function compileModulo({
  digits,
  ...parameters
}: Omit<WeightParameters, 'weights'> & { digits: number }): Check {
  const weights = [1];
  while (weights.length < digits) weights.unshift(((weights[0] as number) * 10) % parameters.modulus);
  return compileWeights({ ...parameters, weights });
}

/** The weighted sum, with the check digits in it, is divisible by the modulus. */
export function compileSum(parameters: Products & Pick<WeightParameters, 'weights'>): Check {
  const { weights, from } = parameters;
  const sum = compileProducts(weights, parameters);
  return (value, length) => remainderOf(sum, value, from ?? length - sum.count) === 0;
}
