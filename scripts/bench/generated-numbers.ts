// Generated identification and card numbers, for tests and benchmarks of the scanner. Check digits
// are computed without the code of the scanner, so that the two verify each other. Most of the file
// is a table with a row for every scheme.

import { seededRandom } from '../../shared/seeded-random.ts';

/**
 * Random choices of a seeded generator: the same seed generates the same numbers on every machine.
 */
export function createRandom(seed: number): {
  next: () => number;
  below: (limit: number) => number;
  pick: <T>(list: readonly T[]) => T;
} {
  const next = seededRandom(seed);
  const below = (limit: number): number => Math.floor(next() * limit);
  return { next, below, pick: <T>(list: readonly T[]): T => list[below(list.length)] as T };
}

export type Random = ReturnType<typeof createRandom>;

export function digits(random: Random, count: number): string {
  let text = '';
  for (let i = 0; i < count; i++) text += random.below(10);
  return text;
}

function letters(random: Random, count: number, alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'): string {
  let text = '';
  for (let i = 0; i < count; i++) text += alphabet.charAt(random.below(alphabet.length));
  return text;
}

const pad2 = (n: number): string => String(n).padStart(2, '0');

/**
 * Separates text into groups: `grouped('4111111111111111', [4, 4, 4, 4], ' ')`. A list contains one
 * separator per gap.
 */
export function grouped(text: string, lengths: readonly number[], separator: string | readonly string[]): string {
  let at = 0;
  let result = '';
  lengths.forEach((length, i) => {
    if (i > 0) result += typeof separator === 'string' ? separator : separator[i - 1];
    result += text.slice(at, at + length);
    at += length;
  });
  return result;
}

function luhnDigit(body: string): number {
  let sum = 0;
  for (let i = 0; i < body.length; i++) {
    const digit = Number(body.charAt(body.length - 1 - i));
    sum += i % 2 === 0 ? ([0, 2, 4, 6, 8, 1, 3, 5, 7, 9][digit] as number) : digit;
  }
  return (10 - (sum % 10)) % 10;
}

/** Generates a number with a prefix and a length that has a valid Luhn check digit. */
export function luhnNumber(random: Random, prefix: string, length: number): string {
  const body = prefix + digits(random, length - 1 - prefix.length);
  return body + luhnDigit(body);
}

const weightedSum = (body: string, weights: readonly number[]): number =>
  weights.reduce((sum, weight, i) => sum + weight * Number(body.charAt(i)), 0);

function mod1110Digit(body: string): number {
  let rest = 10;
  for (const character of body) {
    rest = (rest + Number(character)) % 10;
    if (rest === 0) rest = 10;
    rest = (rest * 2) % 11;
  }
  return (11 - rest) % 10;
}

/** The Verhoeff check digit, computed in the dihedral group instead of by the usual tables. */
function verhoeffDigit(body: string): number {
  const multiply = (a: number, b: number): number => {
    if (a < 5) return b < 5 ? (a + b) % 5 : 5 + ((a + b) % 5);
    return b < 5 ? 5 + ((((a - b) % 5) + 5) % 5) : (((a - b) % 5) + 5) % 5;
  };
  const step = [1, 5, 7, 6, 2, 8, 3, 0, 9, 4];
  let check = 0;
  for (let i = 0; i < body.length; i++) {
    let digit = Number(body.charAt(body.length - 1 - i));
    for (let turn = 0; turn < i + 1; turn++) digit = step[digit] as number;
    check = multiply(check, digit);
  }
  return [0, 4, 3, 2, 1, 5, 6, 7, 8, 9][check] as number;
}

interface Birth {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

function birth(random: Random): Birth {
  return { year: 1940 + random.below(60), month: 1 + random.below(12), day: 1 + random.below(28) };
}

const yymmdd = ({ year, month, day }: Birth): string => pad2(year % 100) + pad2(month) + pad2(day);
const ddmmyy = ({ year, month, day }: Birth): string => pad2(day) + pad2(month) + pad2(year % 100);

/** Repeats `generate` until it returns a number, because some numbers have no valid check digit. */
function retryUntilDefined(generate: () => string | undefined): string {
  for (;;) {
    const value = generate();
    if (value !== undefined) return value;
  }
}

/** An identification scheme: its numbers, their written forms and the keywords next to them. */
interface NumberScheme {
  readonly scheme: string;
  readonly country: string;
  /** Generates a number without separators. */
  readonly generate: (random: Random) => string;
  /** Written forms that the scanner finds without a keyword. */
  readonly standaloneForms: readonly ((plain: string) => string)[];
  /** Written forms that the scanner finds only next to a keyword. */
  readonly keywordForms: readonly ((plain: string) => string)[];
  readonly keywords: readonly string[];
}

const plain = (text: string): string => text;
const form =
  (lengths: readonly number[], separator: string | readonly string[]) =>
  (text: string): string =>
    grouped(text, lengths, separator);

export const NUMBER_SCHEMES: readonly NumberScheme[] = [
  {
    scheme: 'us_ssn',
    country: 'US',
    keywords: ['SSN', 'social security number', 'ssn'],
    generate: (r) =>
      String(1 + r.below(665)).padStart(3, '0') + pad2(1 + r.below(99)) + String(1 + r.below(9999)).padStart(4, '0'),
    standaloneForms: [form([3, 2, 4], '-')],
    keywordForms: [plain, form([3, 2, 4], ' '), form([3, 2, 4], '.')],
  },
  {
    scheme: 'us_itin',
    country: 'US',
    keywords: ['ITIN', 'taxpayer id'],
    generate: (r) => `9${digits(r, 2)}${r.pick(['50', '65', '70', '88', '90', '92', '94', '99'])}${digits(r, 4)}`,
    standaloneForms: [form([3, 2, 4], '-')],
    keywordForms: [plain, form([3, 2, 4], ' ')],
  },
  {
    scheme: 'ca_sin',
    country: 'CA',
    keywords: ['SIN', 'social insurance number'],
    generate: (r) => luhnNumber(r, r.pick(['1', '2', '4', '5', '7']), 9),
    standaloneForms: [],
    keywordForms: [plain, form([3, 3, 3], ' '), form([3, 3, 3], '-')],
  },
  {
    scheme: 'br_cpf',
    country: 'BR',
    keywords: ['CPF', 'cpf'],
    generate: (r) => {
      let body = digits(r, 9);
      for (let n = 10; n <= 11; n++) {
        let sum = 0;
        for (let i = 0; i < body.length; i++) sum += Number(body.charAt(i)) * (n - i);
        body += sum % 11 < 2 ? 0 : 11 - (sum % 11);
      }
      return body;
    },
    standaloneForms: [form([3, 3, 3, 2], ['.', '.', '-'])],
    keywordForms: [plain],
  },
  {
    scheme: 'cl_rut',
    country: 'CL',
    keywords: ['RUT', 'rut'],
    generate: (r) => {
      const body = `${1 + r.below(2)}${digits(r, 7)}`;
      const sum = weightedSum(body, [3, 2, 7, 6, 5, 4, 3, 2]);
      return body + ['0', 'K', '9', '8', '7', '6', '5', '4', '3', '2', '1'][sum % 11];
    },
    standaloneForms: [form([2, 3, 3, 1], ['.', '.', '-'])],
    keywordForms: [form([8, 1], '-')],
  },
  {
    scheme: 'mx_curp',
    country: 'MX',
    keywords: ['CURP'],
    generate: (r) => {
      const body = `${letters(r, 4, 'ABCDEGHLMPR')}${yymmdd(birth(r))}${r.pick(['H', 'M'])}${r.pick(['DF', 'JC', 'NL', 'OC'])}${letters(r, 3, 'BCDFGHJKLM')}${digits(r, 1)}`;
      const alphabet = '0123456789ABCDEFGHIJKLMNÑOPQRSTUVWXYZ';
      let sum = 0;
      for (let i = 0; i < 17; i++) sum += alphabet.indexOf(body.charAt(i)) * (18 - i);
      return body + ((10 - (sum % 10)) % 10);
    },
    standaloneForms: [plain],
    keywordForms: [],
  },
  {
    scheme: 'gb_nino',
    country: 'GB',
    keywords: ['NINO', 'National Insurance number'],
    generate: (r) => `${r.pick(['AB', 'CE', 'JG', 'PR', 'YZ', 'HH'])}${digits(r, 6)}${r.pick(['A', 'B', 'C', 'D'])}`,
    standaloneForms: [plain, form([2, 2, 2, 2, 1], ' ')],
    keywordForms: [(text) => text.toLowerCase()],
  },
  {
    scheme: 'gb_nhs',
    country: 'GB',
    keywords: ['NHS number', 'nhs_number', 'NHS no'],
    generate: (r) =>
      retryUntilDefined(() => {
        const body = `${4 + r.below(5)}${digits(r, 8)}`;
        const check = (11 - (weightedSum(body, [10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11)) % 11;
        return check === 10 ? undefined : body + check;
      }),
    standaloneForms: [],
    keywordForms: [plain, form([3, 3, 4], ' '), form([3, 3, 4], '-')],
  },
  {
    scheme: 'gb_utr',
    country: 'GB',
    keywords: ['UTR', 'unique taxpayer reference'],
    generate: (r) => `1${digits(r, 9)}`,
    standaloneForms: [],
    keywordForms: [plain, form([5, 5], ' ')],
  },
  {
    scheme: 'ie_pps',
    country: 'IE',
    keywords: ['PPS number', 'PPSN'],
    generate: (r) => {
      const body = digits(r, 7);
      return `${body}${'WABCDEFGHIJKLMNOPQRSTUV'.charAt((weightedSum(body, [8, 7, 6, 5, 4, 3, 2]) + 9) % 23)}A`;
    },
    standaloneForms: [],
    keywordForms: [plain],
  },
  {
    scheme: 'fr_nir',
    country: 'FR',
    keywords: ['NIR', 'numéro de sécurité sociale'],
    generate: (r) => {
      const { year, month } = birth(r);
      const body = `${r.pick(['1', '2'])}${pad2(year % 100)}${pad2(month)}${pad2(1 + r.below(95))}${digits(r, 6)}`;
      return body + pad2(Number(97n - (BigInt(body) % 97n)));
    },
    standaloneForms: [plain, form([1, 2, 2, 2, 3, 3, 2], ' ')],
    keywordForms: [],
  },
  {
    scheme: 'de_tax_id',
    country: 'DE',
    keywords: ['Steuer-ID', 'IdNr', 'steuerliche Identifikationsnummer'],
    generate: (r) => {
      const pool = Array.from('1234567890')
        .map((digit) => ({ digit, order: r.next() }))
        .sort((a, b) => a.order - b.order)
        .map(({ digit }) => digit);
      // Ten digits, one of which occurs twice.
      pool[9] = pool[0] as string;
      if (pool[0] === '0') [pool[0], pool[1]] = [pool[1] as string, pool[0]];
      const body = pool.join('');
      return body + mod1110Digit(body);
    },
    standaloneForms: [],
    keywordForms: [plain, form([2, 3, 3, 3], ' ')],
  },
  {
    scheme: 'de_pension',
    country: 'DE',
    keywords: ['Rentenversicherungsnummer', 'SV-Nummer'],
    generate: (r) => {
      const body = `${r.pick(['12', '15', '40', '65'])}${ddmmyy(birth(r))}${letters(r, 1)}${digits(r, 2)}`;
      const numbers = body.slice(0, 8) + pad2(body.charCodeAt(8) - 64) + body.slice(9);
      const weights = [2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1];
      let sum = 0;
      for (let i = 0; i < 12; i++)
        for (const figure of String(Number(numbers.charAt(i)) * (weights[i] as number))) sum += Number(figure);
      return body + (sum % 10);
    },
    standaloneForms: [plain],
    keywordForms: [],
  },
  {
    scheme: 'at_svnr',
    country: 'AT',
    keywords: ['SVNR', 'Sozialversicherungsnummer'],
    generate: (r) =>
      retryUntilDefined(() => {
        const serial = `${1 + r.below(9)}${digits(r, 2)}`;
        const date = ddmmyy(birth(r));
        const check = (weightedSum(serial, [3, 7, 9]) + weightedSum(date, [5, 8, 4, 2, 1, 6])) % 11;
        return check === 10 ? undefined : serial + check + date;
      }),
    standaloneForms: [],
    keywordForms: [plain, form([4, 6], ' ')],
  },
  {
    scheme: 'ch_ahv',
    country: 'CH',
    keywords: ['AHV-Nr', 'AHV', 'numéro AVS'],
    generate: (r) => {
      const body = `756${digits(r, 9)}`;
      return body + ((10 - (weightedSum(body, [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3]) % 10)) % 10);
    },
    standaloneForms: [form([3, 4, 4, 2], '.')],
    keywordForms: [plain],
  },
  {
    scheme: 'be_nrn',
    country: 'BE',
    keywords: ['rijksregisternummer', 'NISS', 'numéro national'],
    generate: (r) => {
      const body = yymmdd(birth(r)) + String(1 + r.below(997)).padStart(3, '0');
      return body + pad2(97 - (Number(body) % 97));
    },
    standaloneForms: [form([2, 2, 2, 3, 2], ['.', '.', '-', '.'])],
    keywordForms: [plain],
  },
  {
    scheme: 'nl_bsn',
    country: 'NL',
    keywords: ['BSN', 'burgerservicenummer'],
    generate: (r) =>
      retryUntilDefined(() => {
        const body = `${1 + r.below(8)}${digits(r, 7)}`;
        const check = weightedSum(body, [9, 8, 7, 6, 5, 4, 3, 2]) % 11;
        return check === 10 ? undefined : body + check;
      }),
    standaloneForms: [],
    keywordForms: [plain, form([4, 2, 3], '.')],
  },
  {
    scheme: 'it_cf',
    country: 'IT',
    keywords: ['codice fiscale', 'CF'],
    generate: (r) => {
      const { year, month, day } = birth(r);
      const body = `${letters(r, 6, 'BCDFGLMNPRSTV')}${pad2(year % 100)}${'ABCDEHLMPRST'.charAt(month - 1)}${pad2(day + 40 * r.below(2))}${letters(r, 1, 'ABCDEFGHIL')}${digits(r, 3)}`;
      // The letters in the order of their values at odd positions.
      const odd = 'BAKPLCQDREVOSFTGUHMINJWZYX';
      let sum = 0;
      for (let i = 0; i < 15; i++) {
        const character = body.charAt(i);
        const place = character >= 'A' ? character.charCodeAt(0) - 65 : Number(character);
        sum += i % 2 === 1 ? place : odd.indexOf(String.fromCharCode(65 + place));
      }
      return body + String.fromCharCode(65 + (sum % 26));
    },
    standaloneForms: [plain, (text) => text.toLowerCase()],
    keywordForms: [],
  },
  {
    scheme: 'es_dni',
    country: 'ES',
    keywords: ['DNI', 'NIF'],
    generate: (r) => {
      const body = digits(r, 8);
      return body + 'TRWAGMYFPDXBNJZSQVHLCKE'.charAt(Number(body) % 23);
    },
    standaloneForms: [plain, form([8, 1], '-')],
    keywordForms: [form([8, 1], ' ')],
  },
  {
    scheme: 'es_nie',
    country: 'ES',
    keywords: ['NIE'],
    generate: (r) => {
      const first = r.below(3);
      const body = digits(r, 7);
      return 'XYZ'.charAt(first) + body + 'TRWAGMYFPDXBNJZSQVHLCKE'.charAt(Number(`${first}${body}`) % 23);
    },
    standaloneForms: [plain, form([1, 7, 1], '-')],
    keywordForms: [],
  },
  {
    scheme: 'pt_nif',
    country: 'PT',
    keywords: ['NIF', 'contribuinte'],
    generate: (r) => {
      const body = r.pick(['1', '2']) + digits(r, 7);
      const rest = weightedSum(body, [9, 8, 7, 6, 5, 4, 3, 2]) % 11;
      return body + (rest < 2 ? 0 : 11 - rest);
    },
    standaloneForms: [],
    keywordForms: [plain, form([3, 3, 3], ' ')],
  },
  {
    scheme: 'gr_amka',
    country: 'GR',
    keywords: ['AMKA', 'ΑΜΚΑ'],
    generate: (r) => {
      const body = ddmmyy(birth(r)) + digits(r, 4);
      return body + luhnDigit(body);
    },
    standaloneForms: [],
    keywordForms: [plain],
  },
  {
    scheme: 'se_pnr',
    country: 'SE',
    keywords: ['personnummer', 'personnr'],
    generate: (r) => {
      // The last two digits of the years from 1941 to 1999 are not those of a year in a log.
      const body = yymmdd({ ...birth(r), year: 1941 + r.below(59) }) + digits(r, 3);
      return body + luhnDigit(body);
    },
    standaloneForms: [form([6, 4], '-'), (text) => `19${grouped(text, [6, 4], '-')}`],
    keywordForms: [plain, (text) => `19${text}`],
  },
  {
    scheme: 'no_fnr',
    country: 'NO',
    keywords: ['fødselsnummer', 'fnr'],
    generate: (r) =>
      retryUntilDefined(() => {
        const body = ddmmyy(birth(r)) + digits(r, 3);
        const first = (11 - (weightedSum(body, [3, 7, 6, 1, 8, 9, 4, 5, 2]) % 11)) % 11;
        const second = (11 - (weightedSum(body + first, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11)) % 11;
        return first === 10 || second === 10 ? undefined : `${body}${first}${second}`;
      }),
    standaloneForms: [],
    keywordForms: [plain, form([6, 5], ' ')],
  },
  {
    scheme: 'dk_cpr',
    country: 'DK',
    keywords: ['CPR', 'cpr-nummer'],
    generate: (r) => ddmmyy(birth(r)) + digits(r, 4),
    standaloneForms: [],
    keywordForms: [form([6, 4], '-'), plain],
  },
  {
    scheme: 'fi_hetu',
    country: 'FI',
    keywords: ['henkilötunnus', 'hetu'],
    generate: (r) => {
      const date = ddmmyy(birth(r));
      const serial = String(2 + r.below(897)).padStart(3, '0');
      return `${date}-${serial}${'0123456789ABCDEFHJKLMNPRSTUVWXY'.charAt(Number(date + serial) % 31)}`;
    },
    standaloneForms: [plain],
    keywordForms: [],
  },
  {
    scheme: 'ee_ik',
    country: 'EE',
    keywords: ['isikukood'],
    generate: (r) => {
      const body = r.pick(['3', '4']) + yymmdd(birth(r)) + digits(r, 3);
      let check = weightedSum(body, [1, 2, 3, 4, 5, 6, 7, 8, 9, 1]) % 11;
      if (check === 10) check = (weightedSum(body, [3, 4, 5, 6, 7, 8, 9, 1, 2, 3]) % 11) % 10;
      return body + check;
    },
    standaloneForms: [],
    keywordForms: [plain],
  },
  {
    scheme: 'lt_ak',
    country: 'LT',
    keywords: ['asmens kodas'],
    generate: (r) => {
      const body = r.pick(['3', '4']) + yymmdd(birth(r)) + digits(r, 3);
      let check = weightedSum(body, [1, 2, 3, 4, 5, 6, 7, 8, 9, 1]) % 11;
      if (check === 10) check = (weightedSum(body, [3, 4, 5, 6, 7, 8, 9, 1, 2, 3]) % 11) % 10;
      return body + check;
    },
    standaloneForms: [],
    keywordForms: [plain],
  },
  {
    scheme: 'lv_pk',
    country: 'LV',
    keywords: ['personas kods'],
    generate: (r) => {
      const body = `${ddmmyy(birth(r))}1${digits(r, 3)}`;
      return body + (((1 + weightedSum(body, [10, 5, 8, 4, 2, 1, 6, 3, 7, 9])) % 11) % 10);
    },
    standaloneForms: [],
    keywordForms: [form([6, 5], '-'), plain],
  },
  {
    scheme: 'pl_pesel',
    country: 'PL',
    keywords: ['PESEL', 'pesel', 'nr PESEL'],
    generate: (r) => {
      const body = yymmdd(birth(r)) + digits(r, 4);
      return body + ((10 - (weightedSum(body, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3]) % 10)) % 10);
    },
    standaloneForms: [],
    keywordForms: [plain],
  },
  {
    scheme: 'cz_rc',
    country: 'CZ',
    keywords: ['rodné číslo', 'RČ'],
    generate: (r) =>
      retryUntilDefined(() => {
        const body = yymmdd({ ...birth(r), year: 1955 + r.below(44) }) + digits(r, 3);
        const check = Number(body) % 11;
        return check === 10 ? undefined : body + check;
      }),
    standaloneForms: [form([6, 4], '/')],
    keywordForms: [plain],
  },
  {
    scheme: 'ro_cnp',
    country: 'RO',
    keywords: ['CNP', 'cod numeric personal'],
    generate: (r) => {
      const body = `${r.pick(['1', '2'])}${yymmdd(birth(r))}${pad2(1 + r.below(46))}${digits(r, 3)}`;
      const check = weightedSum(body, [2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9]) % 11;
      return body + (check === 10 ? 1 : check);
    },
    standaloneForms: [],
    keywordForms: [plain],
  },
  {
    scheme: 'bg_egn',
    country: 'BG',
    keywords: ['ЕГН', 'EGN'],
    generate: (r) => {
      const body = yymmdd(birth(r)) + digits(r, 3);
      return body + ((weightedSum(body, [2, 4, 8, 5, 10, 9, 7, 3, 6]) % 11) % 10);
    },
    standaloneForms: [],
    keywordForms: [plain],
  },
  {
    scheme: 'hr_oib',
    country: 'HR',
    keywords: ['OIB'],
    generate: (r) => {
      const body = digits(r, 10);
      return body + mod1110Digit(body);
    },
    standaloneForms: [],
    keywordForms: [plain],
  },
  {
    scheme: 'tr_tckn',
    country: 'TR',
    keywords: ['TC kimlik no', 'TCKN'],
    generate: (r) => {
      const body = `${1 + r.below(9)}${digits(r, 8)}`;
      const tenth = ((weightedSum(body, [7, -1, 7, -1, 7, -1, 7, -1, 7]) % 10) + 10) % 10;
      return `${body}${tenth}${Array.from(body).reduce((sum, digit) => sum + Number(digit), tenth) % 10}`;
    },
    standaloneForms: [],
    keywordForms: [plain],
  },
  {
    scheme: 'cn_ric',
    country: 'CN',
    keywords: ['身份证', 'resident id'],
    generate: (r) => {
      const { year, month, day } = birth(r);
      const body = `${r.pick(['110101', '310115', '440305', '510104'])}${year}${pad2(month)}${pad2(day)}${digits(r, 3)}`;
      return body + '10X98765432'.charAt(weightedSum(body, [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]) % 11);
    },
    standaloneForms: [plain],
    keywordForms: [],
  },
  {
    scheme: 'tw_nid',
    country: 'TW',
    keywords: ['身分證字號'],
    generate: (r) => {
      const first = letters(r, 1);
      const body = r.pick(['1', '2']) + digits(r, 7);
      const code = 10 + 'ABCDEFGHJKLMNPQRSTUVXYWZIO'.indexOf(first);
      const sum = Math.floor(code / 10) + (code % 10) * 9 + weightedSum(body, [8, 7, 6, 5, 4, 3, 2, 1]);
      return first + body + ((10 - (sum % 10)) % 10);
    },
    standaloneForms: [plain],
    keywordForms: [],
  },
  {
    scheme: 'hk_hkid',
    country: 'HK',
    keywords: ['HKID'],
    generate: (r) => {
      const first = letters(r, 1);
      const body = digits(r, 6);
      const sum = 36 * 9 + (first.charCodeAt(0) - 55) * 8 + weightedSum(body, [7, 6, 5, 4, 3, 2]);
      return first + body + '0123456789A'.charAt((11 - (sum % 11)) % 11);
    },
    standaloneForms: [(text) => `${text.slice(0, 7)}(${text.slice(7)})`],
    keywordForms: [plain],
  },
  {
    scheme: 'sg_nric',
    country: 'SG',
    keywords: ['NRIC', 'FIN'],
    generate: (r) => {
      const prefix = r.pick(['S', 'T', 'F', 'G']);
      const body = digits(r, 7);
      const rest = (weightedSum(body, [2, 7, 6, 5, 4, 3, 2]) + (prefix === 'T' || prefix === 'G' ? 4 : 0)) % 11;
      return prefix + body + (prefix === 'S' || prefix === 'T' ? 'JZIHGFEDCBA' : 'XWUTRQPNMLK').charAt(rest);
    },
    standaloneForms: [plain],
    keywordForms: [],
  },
  {
    scheme: 'my_nric',
    country: 'MY',
    keywords: ['MyKad', 'NRIC', 'IC number'],
    generate: (r) => `${yymmdd(birth(r))}${r.pick(['01', '10', '14', '56'])}${digits(r, 4)}`,
    standaloneForms: [],
    keywordForms: [form([6, 2, 4], '-'), plain],
  },
  {
    scheme: 'th_pin',
    country: 'TH',
    keywords: ['เลขบัตรประชาชน', 'Thai ID'],
    generate: (r) => {
      const body = `${1 + r.below(8)}${digits(r, 11)}`;
      return body + ((11 - (weightedSum(body, [13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11)) % 10);
    },
    standaloneForms: [form([1, 4, 5, 2, 1], '-')],
    keywordForms: [plain],
  },
  {
    scheme: 'kr_rrn',
    country: 'KR',
    keywords: ['주민등록번호', 'RRN'],
    generate: (r) => {
      const body = `${yymmdd(birth(r))}${r.pick(['1', '2'])}${digits(r, 5)}`;
      return body + ((11 - (weightedSum(body, [2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5]) % 11)) % 10);
    },
    standaloneForms: [form([6, 7], '-')],
    keywordForms: [plain],
  },
  {
    scheme: 'jp_my_number',
    country: 'JP',
    keywords: ['マイナンバー', 'My Number'],
    generate: (r) => {
      const body = digits(r, 11);
      const rest = weightedSum(body, [6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11;
      return body + (rest < 2 ? 0 : 11 - rest);
    },
    standaloneForms: [],
    keywordForms: [plain],
  },
  {
    scheme: 'in_aadhaar',
    country: 'IN',
    keywords: ['Aadhaar', 'aadhaar_number'],
    generate: (r) => {
      const body = `${2 + r.below(8)}${digits(r, 10)}`;
      return body + verhoeffDigit(body);
    },
    standaloneForms: [form([4, 4, 4], ' '), form([4, 4, 4], '-')],
    keywordForms: [plain],
  },
  {
    scheme: 'in_pan',
    country: 'IN',
    keywords: ['PAN', 'PAN card', 'permanent account number'],
    generate: (r) => `${letters(r, 3)}P${letters(r, 1)}${digits(r, 4)}${letters(r, 1)}`,
    standaloneForms: [],
    keywordForms: [plain],
  },
  {
    scheme: 'pk_cnic',
    country: 'PK',
    keywords: ['CNIC'],
    generate: (r) => `${1 + r.below(7)}${digits(r, 12)}`,
    standaloneForms: [],
    keywordForms: [form([5, 7, 1], '-'), plain],
  },
  {
    scheme: 'id_nik',
    country: 'ID',
    keywords: ['NIK', 'KTP'],
    generate: (r) =>
      `${r.pick(['3173', '3271', '5171', '1271'])}${pad2(1 + r.below(20))}${ddmmyy(birth(r))}${digits(r, 4)}`,
    standaloneForms: [],
    keywordForms: [plain],
  },
  {
    scheme: 'il_id',
    country: 'IL',
    keywords: ['תעודת זהות', 'teudat zehut'],
    generate: (r) => luhnNumber(r, r.pick(['2', '3']), 9),
    standaloneForms: [],
    keywordForms: [plain],
  },
  {
    scheme: 'za_id',
    country: 'ZA',
    keywords: ['ID number', 'SA ID'],
    generate: (r) => {
      const body = `${yymmdd(birth(r))}${digits(r, 4)}${r.below(2)}8`;
      return body + luhnDigit(body);
    },
    standaloneForms: [],
    keywordForms: [plain],
  },
  {
    scheme: 'au_tfn',
    country: 'AU',
    keywords: ['TFN', 'tax file number'],
    generate: (r) =>
      retryUntilDefined(() => {
        const body = `${1 + r.below(9)}${digits(r, 7)}`;
        // The last weight is 10, which is -1 modulo 11, so the check digit is the remainder.
        const check = weightedSum(body, [1, 4, 3, 7, 5, 8, 6, 9]) % 11;
        return check === 10 ? undefined : body + check;
      }),
    standaloneForms: [],
    keywordForms: [plain, form([3, 3, 3], ' ')],
  },
  {
    scheme: 'ar_dni',
    country: 'AR',
    keywords: ['DNI'],
    generate: (r) => `${1 + r.below(4)}${digits(r, 7)}`,
    standaloneForms: [],
    keywordForms: [form([2, 3, 3], '.'), plain],
  },
];

/** Card brands: prefixes, length and groups. */
export const CARD_BRANDS: readonly {
  readonly brand: string;
  readonly prefixes: readonly string[];
  readonly length: number;
  readonly groups: readonly number[];
  /** Whether bare digits need a keyword. */
  readonly needsKeyword: boolean;
  /** Whether the number needs none in its groups, unlike bare digits. */
  readonly isFreeInGroups?: true;
}[] = [
  { brand: 'visa', prefixes: ['4'], length: 16, groups: [4, 4, 4, 4], needsKeyword: false },
  {
    brand: 'mastercard',
    prefixes: ['51', '53', '55', '2221', '2720', '2500'],
    length: 16,
    groups: [4, 4, 4, 4],
    needsKeyword: false,
  },
  { brand: 'amex', prefixes: ['34', '37'], length: 15, groups: [4, 6, 5], needsKeyword: false },
  { brand: 'discover', prefixes: ['6011', '644', '65'], length: 16, groups: [4, 4, 4, 4], needsKeyword: false },
  { brand: 'diners', prefixes: ['300', '305', '36', '38'], length: 14, groups: [4, 6, 4], needsKeyword: false },
  { brand: 'jcb', prefixes: ['3528', '3589'], length: 16, groups: [4, 4, 4, 4], needsKeyword: false },
  { brand: 'unionpay', prefixes: ['62'], length: 16, groups: [4, 4, 4, 4], needsKeyword: false },
  { brand: 'visa', prefixes: ['4'], length: 13, groups: [13], needsKeyword: true },
  { brand: 'visa', prefixes: ['4'], length: 19, groups: [19], needsKeyword: true },
  {
    brand: 'mir',
    prefixes: ['2200', '2204'],
    length: 16,
    groups: [4, 4, 4, 4],
    needsKeyword: true,
    isFreeInGroups: true,
  },
  {
    brand: 'maestro',
    prefixes: ['5018', '6304', '6759', '6762'],
    length: 16,
    groups: [4, 4, 4, 4],
    needsKeyword: true,
    isFreeInGroups: true,
  },
];
