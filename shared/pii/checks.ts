// The checks that the rows of `schemes/` name, with their parameters. A check is compiled once, to
// a function that allocates nothing.
import {
  areAllSame,
  CHARACTERS,
  type Check,
  isValidDate,
  numberAt,
  passesLuhn,
  passesMod1110,
  passesVerhoeff,
} from './checksums.ts';
import {
  anything,
  either,
  type Fields,
  integer,
  type Kinds,
  kind,
  listOf,
  type OptionalFields,
  readFields,
} from './data-fields.ts';
import { compileModulo, compileSum, compileWeights, PRODUCTS, RESULTS } from './weighted-sums.ts';

/**
 * A check as data: an object has the name of the check and its parameters, a text is the check of
 * the scheme with this id, and a list means that every check of it has to pass.
 */
export type CheckData = string | readonly CheckData[] | { readonly check: string };

/** Compiles a check that is a parameter of another check. */
type Compile = (data: unknown) => Check;

/** Compiles a check from its parameters. `where` names the check in errors. */
type Definition = (where: string, parameters: unknown, compile: Compile) => Check;

function define<Required extends Kinds, Optional extends Kinds>(
  required: Required,
  optional: Optional,
  build: (parameters: Fields<Required, Optional>, compile: Compile) => Check,
): Definition {
  return (where, parameters, compile) => build(readFields(where, parameters, required, optional), compile);
}

/**
 * A part of a value, as in `Array.slice`: negative indexes count from the end. `at` is the part of
 * one character. Default: the whole value.
 */
const PART = { at: integer, from: integer, to: integer };
type Part = OptionalFields<typeof PART>;

/** The indexes of a part: its first one, and the one after its last. At most 0: from the end. */
function indexesOf({ at, from = at ?? 0, to = at === undefined ? 0 : at + 1 }: Part): readonly [number, number] {
  return [from, to];
}

const DIGITS = CHARACTERS.slice(0, 10);
const LETTERS = CHARACTERS.slice(10);

const upperCase = kind<string>('a text of digits and upper-case letters', (value) => /^[\dA-Z]+$/.test(String(value)));
const words = kind<string>('words of one length', (value) => /^(?:[\dA-Z]+ ?)+$/.test(String(value)));
const format = kind<string>(
  'a format of a date, such as YYMMDD',
  (value) => typeof value === 'string' && /^[.YMD]+$/.test(value) && ['Y', 'M', 'D'].every((c) => value.includes(c)),
);
const pair = kind<readonly [number, number]>(
  'a pair of integers',
  (value) => Array.isArray(value) && value.length === 2 && value.every(Number.isInteger),
);

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

/** The number that a part represents is in one of the ranges, which are inclusive. */
function compileRange(part: Part, ranges: readonly (number | readonly [number, number])[]): Check {
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

const OFFSETS = { from: integer, dayOffsets: listOf(integer), monthOffsets: listOf(integer) };
type DateParameters = OptionalFields<typeof OFFSETS> & { readonly format: string };

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

/** The checks by name. */
const CHECKS: Readonly<Record<string, Definition>> = {
  /** The value has one of the lengths. */
  length: define({ in: listOf(integer) }, {}, ({ in: lengths }) => {
    return (_value, length) => lengths.includes(length);
  }),
  digits: define({}, PART, (part) => compileCharacters(part, DIGITS)),
  letters: define({}, PART, (part) => compileCharacters(part, LETTERS)),
  characters: define({ in: upperCase }, PART, ({ in: allowed, ...part }) => compileCharacters(part, allowed)),
  range: define({ in: listOf(either(integer, pair)) }, PART, ({ in: ranges, ...part }) => compileRange(part, ranges)),
  words: define({ at: integer, in: words }, {}, ({ at, in: list }) => compileWords(at, list)),
  notAllSame: define({}, PART, (part) => compilePart(part, hasDifferentCharacters)),
  date: define({ format }, OFFSETS, compileDate),
  luhn: define({}, PART, (part) => compilePart(part, passesLuhn)),
  /** The check digit is at `at`, and verifies the first `digits` digits. */
  verhoeff: define({ digits: integer, at: integer }, {}, ({ digits, at }) => {
    return (value) => passesVerhoeff(value, digits, at);
  }),
  /** ISO/IEC 7064 MOD 11,10 of the whole value. */
  mod11_10: define({}, {}, () => passesMod1110),
  weights: define({ weights: listOf(integer), modulus: integer }, { ...PRODUCTS, ...RESULTS }, compileWeights),
  modulo: define({ digits: integer, modulus: integer }, { ...PRODUCTS, ...RESULTS }, compileModulo),
  sum: define({ weights: listOf(integer), modulus: integer }, PRODUCTS, compileSum),
  germanRepetition: define({}, {}, () => hasGermanRepetition),
  codiceFiscale: define({}, {}, () => isCodiceFiscale),
  anyOf: define({ of: listOf(anything) }, {}, ({ of }, compile) => {
    const checks = of.map(compile);
    return (value, length) => {
      for (let i = 0; i < checks.length; i++) if ((checks[i] as Check)(value, length)) return true;
      return false;
    };
  }),
  not: define({ of: anything }, {}, ({ of }, compile) => {
    const check = compile(of);
    return (value, length) => !check(value, length);
  }),
};

/** Every check passes. A loop would take a third more time. */
function allOf([first, ...others]: readonly [Check, ...Check[]]): Check {
  const [second, ...rest] = others;
  if (second === undefined) return first;
  const following = allOf([second, ...rest]);
  return (value, length) => first(value, length) && following(value, length);
}

/**
 * Compiles a check of a row. `where` names the row in errors, and `checkOf` returns the check of
 * another scheme.
 * @throws Error that names the row, the check and the invalid parameter.
 */
export function compileCheck(where: string, data: unknown, checkOf: (scheme: string) => Check): Check {
  const compile = (part: unknown) => compileCheck(where, part, checkOf);
  if (Array.isArray(data)) {
    const [first, ...others] = data.map(compile);
    if (first === undefined) throw new Error(`${where}: a list of checks is empty.`);
    return allOf([first, ...others]);
  }
  if (typeof data === 'string') return checkOf(data);
  const { check: name, ...parameters } = (data ?? {}) as { check?: unknown };
  const definition = Object.hasOwn(CHECKS, String(name)) ? CHECKS[String(name)] : undefined;
  if (definition === undefined)
    throw new Error(`${where}: there is no check "${String(name)}": ${Object.keys(CHECKS).join(', ')}.`);
  return definition(`${where}: the check "${String(name)}"`, parameters, compile);
}
