// The checks that the rows of `schemes/` name, with their parameters. A check is compiled once, to
// a function that allocates nothing.

/**
 * Whether a value can be a number of a scheme. The value has no separators. Its elements are 0 to 9
 * for digits, and 10 to 35 for A to Z in either case. Only the first `length` elements are valid.
 */
export type Check = (value: Uint8Array, length: number) => boolean;

/** The characters of values: each has its index as its value. */
const CHARACTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** Verifies the Luhn check digit (ISO/IEC 7812-1) of `length` digits from index `from`. */
export function passesLuhn(value: Uint8Array, from: number, length: number): boolean {
  let sum = 0;
  let double = false;
  for (let i = from + length - 1; i >= from; i--) {
    let digit = value[i] as number;
    if (double) {
      digit *= 2;
      if (digit > 9) digit -= 9;
    }
    sum += digit;
    double = !double;
  }
  return sum % 10 === 0;
}

/** Verifies the check digit of ISO/IEC 7064 MOD 11,10, which is the last digit. */
export function passesMod1110(value: Uint8Array, length: number): boolean {
  let product = 10;
  for (let i = 0; i < length - 1; i++) {
    const sum = ((value[i] as number) + product) % 10;
    product = ((sum === 0 ? 10 : sum) * 2) % 11;
  }
  return (product + (value[length - 1] as number)) % 10 === 1;
}

const VERHOEFF_PRODUCT = [
  [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
  [1, 2, 3, 4, 0, 6, 7, 8, 9, 5],
  [2, 3, 4, 0, 1, 7, 8, 9, 5, 6],
  [3, 4, 0, 1, 2, 8, 9, 5, 6, 7],
  [4, 0, 1, 2, 3, 9, 5, 6, 7, 8],
  [5, 9, 8, 7, 6, 0, 4, 3, 2, 1],
  [6, 5, 9, 8, 7, 1, 0, 4, 3, 2],
  [7, 6, 5, 9, 8, 2, 1, 0, 4, 3],
  [8, 7, 6, 5, 9, 3, 2, 1, 0, 4],
  [9, 8, 7, 6, 5, 4, 3, 2, 1, 0],
] as const;
const VERHOEFF_PERMUTATION = [
  [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
  [1, 5, 7, 6, 2, 8, 3, 0, 9, 4],
  [5, 8, 0, 3, 7, 9, 6, 1, 4, 2],
  [8, 9, 1, 6, 0, 4, 3, 5, 2, 7],
  [9, 4, 5, 3, 1, 2, 6, 8, 7, 0],
  [4, 2, 8, 6, 5, 7, 3, 9, 0, 1],
  [2, 7, 9, 3, 8, 0, 6, 4, 1, 5],
  [7, 0, 4, 6, 9, 1, 3, 2, 5, 8],
] as const;

/** Verifies the Verhoeff check digit at index `at`, for the first `count` digits. */
export function passesVerhoeff(value: Uint8Array, count: number, at: number): boolean {
  let check = value[at] as number;
  for (let i = 1; i <= count; i++) {
    const digit = value[count - i] as number;
    check = (VERHOEFF_PRODUCT[check] as readonly number[])[
      (VERHOEFF_PERMUTATION[i % 8] as readonly number[])[digit] as number
    ] as number;
  }
  return check === 0;
}

/** The number that `length` digits from index `from` represent. */
export function numberAt(value: Uint8Array, from: number, length: number): number {
  let result = 0;
  for (let i = from; i < from + length; i++) result = result * 10 + (value[i] as number);
  return result;
}

export function areAllSame(value: Uint8Array, from: number, length: number): boolean {
  for (let i = from + 1; i < from + length; i++) if (value[i] !== value[from]) return false;
  return true;
}

const DAYS_IN_MONTH = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Whether the date exists. The two-digit year 00 is a leap year, as 2000 is. */
export function isValidDate(year: number, month: number, day: number): boolean {
  if (month < 1 || month > 12 || day < 1 || day > (DAYS_IN_MONTH[month - 1] as number)) return false;
  return month !== 2 || day !== 29 || (year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0));
}

/** Whether the six digits from index `from` are a date, YYMMDD. */
export function isYearMonthDay(value: Uint8Array, from: number): boolean {
  return isValidDate(numberAt(value, from, 2), numberAt(value, from + 2, 2), numberAt(value, from + 4, 2));
}

// Checks of weighted sums modulo a number. Whatever a scheme does with a character before it is
// added is in a table, so that a check is one addition for each character.

const COUNT = CHARACTERS.length;

/** A sum of products, modulo a number. */
interface SumParameters {
  readonly weights: readonly number[];
  readonly modulus: number;
  /** The index of the first character. Default: the last weight is that of the last character. */
  readonly from?: number;
  /** A number that is added to the sum. */
  readonly add?: number;
  /**
   * The values of characters: an alphabet, in which each has its index, or the values themselves.
   * Default: 0 to 9 for digits, 10 to 35 for letters.
   */
  readonly values?: string | Readonly<Record<string, number>>;
  /** The index of a letter that counts as two digits, its index in `letters`, with two weights. */
  readonly letterAt?: number;
  readonly letters?: string;
  /** The digits of each product are added, instead of the product. */
  readonly digitSums?: true;
}

interface WeightParameters extends SumParameters {
  /** The index of the first check character. Default: the last characters of the value. */
  readonly at?: number;
  /** The number of check digits. Default: 1. */
  readonly checkDigits?: number;
  /** The result is what is lacking to the modulus, instead of the remainder. */
  readonly complement?: true;
  /** The check characters of results that are not check characters themselves. 10 would be `A`. */
  readonly replace?: Readonly<Record<string, number | string>>;
  /** The check characters of all results, in their order. */
  readonly table?: string;
  /** The weights of a second sum, whose result counts if the first is 10. */
  readonly secondWeights?: readonly number[];
}

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

function compileProducts(parameters: SumParameters): Sum {
  const { weights, modulus, add = 0, letterAt = weights.length, letters = '' } = parameters;
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

function valueOf(code: number, values: SumParameters['values'] = {}): number {
  const character = CHARACTERS.charAt(code);
  if (typeof values === 'string') return values.includes(character) ? values.indexOf(character) : code;
  return values[character] ?? code;
}

/** Compares the result of a weighted sum with the check characters. */
function compileWeights(parameters: WeightParameters): Check {
  const { from, checkDigits = 1, at = -checkDigits, replace = {}, table, secondWeights } = parameters;
  const { modulus, complement } = parameters;
  const sum = compileProducts(parameters);
  const secondSum = secondWeights && compileProducts({ ...parameters, weights: secondWeights });
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
function compileModulo({ digits, ...parameters }: Omit<WeightParameters, 'weights'> & { digits: number }): Check {
  const weights = [1];
  while (weights.length < digits) weights.unshift(((weights[0] as number) * 10) % parameters.modulus);
  return compileWeights({ ...parameters, weights });
}

/** The weighted sum, with the check digits in it, is divisible by the modulus. */
function compileSum(parameters: SumParameters): Check {
  const { from } = parameters;
  const sum = compileProducts(parameters);
  return (value, length) => remainderOf(sum, value, from ?? length - sum.count) === 0;
}

/**
 * A check as data: an object has the name of the check and its parameters, a text is the check of
 * the scheme with this id, and a list means that every check of it has to pass.
 */
export type CheckData = string | readonly CheckData[] | { readonly check: string };

/**
 * A part of a value, as in `Array.slice`: negative indexes count from the end. `at` is the part of
 * one character. Default: the whole value.
 */
interface Part {
  readonly at?: number;
  readonly from?: number;
  readonly to?: number;
}

/** The indexes of a part: its first one, and the one after its last. At most 0: from the end. */
function indexesOf({ at, from = at ?? 0, to = at === undefined ? 0 : at + 1 }: Part): readonly [number, number] {
  return [from, to];
}

const DIGITS = CHARACTERS.slice(0, 10);
const LETTERS = CHARACTERS.slice(10);

/** The values of characters. */
function valuesOf(characters: string): number[] {
  return Array.from(characters, (character) => CHARACTERS.indexOf(character));
}

/** All characters of a part are among `allowed`. */
function compileCharacters(part: Part, allowed: string): Check {
  const [from, to] = indexesOf(part);
  const isAllowed = Uint8Array.from(CHARACTERS, (character) => Number(allowed.includes(character)));
  return (value, length) => {
    const end = to <= 0 ? length + to : to;
    for (let i = from < 0 ? length + from : from; i < end; i++) if (isAllowed[value[i] as number] === 0) return false;
    return true;
  };
}

/** A number, or a range of them, which is inclusive. */
type Range = number | readonly [number, number];

/** The number that a part represents is in one of the ranges. */
function compileRange(part: Part, ranges: readonly Range[]): Check {
  const [from, to] = indexesOf(part);
  const limits = ranges.flatMap((range) => (typeof range === 'number' ? [range, range] : range));
  return (value, length) => {
    const end = to <= 0 ? length + to : to;
    let number = 0;
    for (let i = from < 0 ? length + from : from; i < end; i++) number = number * 10 + (value[i] as number);
    for (let i = 0; i < limits.length; i += 2)
      if (number >= (limits[i] as number) && number <= (limits[i + 1] as number)) return true;
    return false;
  };
}

function hasDifferentCharacters(value: Uint8Array, from: number, length: number): boolean {
  return !areAllSame(value, from, length);
}

/** A function of the characters from an index, such as `passesLuhn`, for a part. */
function compilePart(part: Part, check: (value: Uint8Array, from: number, length: number) => boolean): Check {
  const [from, to] = indexesOf(part);
  return (value, length) => {
    const start = from < 0 ? length + from : from;
    return check(value, start, (to <= 0 ? length + to : to) - start);
  };
}

/** The characters from `at` are one of the words, which have one length. */
function compileWords(at: number, list: string): Check {
  const split = list.split(' ');
  const count = (split[0] as string).length;
  const encode = (value: Uint8Array, from: number): number => {
    let code = 0;
    for (let i = from; i < from + count; i++) code = code * CHARACTERS.length + (value[i] as number);
    return code;
  };
  const codes = new Set(split.map((word) => encode(Uint8Array.from(valuesOf(word)), 0)));
  return (value) => codes.has(encode(value, at));
}

interface DateParameters {
  readonly format: string;
  readonly from?: number;
  readonly dayOffsets?: readonly number[];
  readonly monthOffsets?: readonly number[];
}

/**
 * A date that exists. In the format, a full stop is any character. The first offset that is less
 * than the day or month is subtracted from it: offsets mark sex, century or kind of number.
 */
function compileDate({ format, from = 0, dayOffsets = [], monthOffsets = [] }: DateParameters): Check {
  const partOf = (letter: string) => {
    const at = format.indexOf(letter);
    return { at, count: format.lastIndexOf(letter) + 1 - at };
  };
  const [year, month, day] = [partOf('Y'), partOf('M'), partOf('D')];
  return (value, length) => {
    const start = from < 0 ? length + from : from;
    // Most numbers have no month, so that it is read first.
    const monthOfYear = subtractOffset(numberAt(value, start + month.at, month.count), monthOffsets);
    if (monthOfYear > 12) return false;
    const dayOfMonth = subtractOffset(numberAt(value, start + day.at, day.count), dayOffsets);
    return isValidDate(numberAt(value, start + year.at, year.count), monthOfYear, dayOfMonth);
  };
}

function subtractOffset(number: number, offsets: readonly number[]): number {
  for (let i = 0; i < offsets.length; i++) if (number > (offsets[i] as number)) return number - (offsets[i] as number);
  return number;
}

/** The rule of German tax ids for ten digits: at most one of them occurs twice or three times. */
function hasGermanRepetition(value: Uint8Array): boolean {
  let repeated = 0;
  for (let digit = 0; digit < 10; digit++) {
    let count = 0;
    for (let i = 0; i < 10; i++) if (value[i] === digit) count++;
    if (count > 3) return false;
    if (count > 1) repeated++;
  }
  return repeated <= 1;
}

const CF_ODD = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23];
const CF_MONTHS = valuesOf('ABCDEHLMPRST');
const CF_DIGIT_INDEXES = [6, 7, 9, 10, 12, 13, 14];
const CF_DIGIT_LETTERS = valuesOf('LMNPQRSTUV');

/**
 * The date and the check letter of an Italian codice fiscale. The month is a letter, women add 40
 * to the day, and letters replace digits where two persons would have the same code.
 */
function isCodiceFiscale(value: Uint8Array): boolean {
  const month = CF_MONTHS.indexOf(value[8] as number) + 1;
  let [year, day] = [0, 0];
  for (let i = 0; i < CF_DIGIT_INDEXES.length; i++) {
    const index = CF_DIGIT_INDEXES[i] as number;
    const character = value[index] as number;
    const digit = character > 9 ? CF_DIGIT_LETTERS.indexOf(character) : character;
    if (digit < 0) return false;
    if (index < 8) year = year * 10 + digit;
    else if (index < 11) day = day * 10 + digit;
  }
  if (!isValidDate(year, month, day > 40 ? day - 40 : day)) return false;
  let sum = 0;
  for (let i = 0; i < 15; i++) {
    const character = value[i] as number;
    const number = character > 9 ? character - 10 : character;
    sum += i % 2 === 0 ? (CF_ODD[number] as number) : number;
  }
  return (sum % 26) + 10 === value[15];
}

/** Compiles a check that is a parameter of another check. */
type Compile = (data: CheckData) => Check;

/** The checks by name, from their parameters. */
const CHECKS = {
  /** The value has one of the lengths. */
  length:
    ({ in: [one, ...others] }: { in: readonly number[] }): Check =>
    (_value, length) =>
      length === one || others.includes(length),
  digits: (part: Part) => compileCharacters(part, DIGITS),
  letters: (part: Part) => compileCharacters(part, LETTERS),
  characters: ({ in: allowed, ...part }: Part & { in: string }) => compileCharacters(part, allowed),
  range: ({ in: ranges, ...part }: Part & { in: readonly Range[] }) => compileRange(part, ranges),
  words: ({ at, in: list }: { at: number; in: string }) => compileWords(at, list),
  notAllSame: (part: Part) => compilePart(part, hasDifferentCharacters),
  date: compileDate,
  luhn: (part: Part) => compilePart(part, passesLuhn),
  /** The check digit is at `at`, and verifies the first `digits` digits. */
  verhoeff:
    ({ digits, at }: { digits: number; at: number }): Check =>
    (value) =>
      passesVerhoeff(value, digits, at),
  /** ISO/IEC 7064 MOD 11,10 of the whole value. */
  mod11_10: () => passesMod1110,
  weights: compileWeights,
  modulo: compileModulo,
  sum: compileSum,
  germanRepetition: () => hasGermanRepetition,
  codiceFiscale: () => isCodiceFiscale,
  anyOf: ({ of }: { of: readonly CheckData[] }, compile: Compile): Check => {
    const checks = of.map(compile);
    return (value, length) => {
      for (let i = 0; i < checks.length; i++) if ((checks[i] as Check)(value, length)) return true;
      return false;
    };
  },
  not: ({ of }: { of: CheckData }, compile: Compile): Check => {
    const check = compile(of);
    return (value, length) => !check(value, length);
  },
} satisfies Record<string, (parameters: never, compile: Compile) => Check>;

/** Every check passes. A loop would take more time, and so would a function for each check. */
function allOf([first, ...others]: readonly [Check, ...Check[]]): Check {
  const [second, third, ...rest] = others;
  if (second === undefined) return first;
  if (third === undefined) return (value, length) => first(value, length) && second(value, length);
  const following = allOf([third, ...rest]);
  return (value, length) => first(value, length) && second(value, length) && following(value, length);
}

/**
 * Compiles a check of a row. `checkOf` returns the check of another scheme.
 * @throws Error if there is no check of the name.
 */
export function compileCheck(data: CheckData, checkOf: (scheme: string) => Check): Check {
  const compile: Compile = (part) => compileCheck(part, checkOf);
  if (typeof data === 'string') return checkOf(data);
  if (!('check' in data)) return allOf(data.map(compile) as [Check, ...Check[]]);
  const { check: name, ...parameters } = data;
  const definition = (CHECKS as Readonly<Record<string, (parameters: object, compile: Compile) => Check>>)[name];
  if (definition === undefined) throw new Error(`There is no check "${name}": ${Object.keys(CHECKS).join(', ')}.`);
  return definition(parameters, compile);
}
