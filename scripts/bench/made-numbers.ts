// Numbers of nobody: every check digit is computed here, forwards and apart from the scanner's own code, so that the two can be
// held against each other. Most of the file is one table, a row for every scheme.

import { seededRandom } from '../seeded-random.ts';

/** Draws from one seeded sequence: the same seed gives the same corpus on every machine. */
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
  let made = '';
  for (let i = 0; i < count; i++) made += random.below(10);
  return made;
}

function letters(random: Random, count: number, alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'): string {
  let made = '';
  for (let i = 0; i < count; i++) made += alphabet.charAt(random.below(alphabet.length));
  return made;
}

const two = (n: number): string => String(n).padStart(2, '0');

/** The text in groups: `grouped('4111111111111111', [4, 4, 4, 4], ' ')`; a list of separators gives one for each gap. */
export function grouped(text: string, lengths: readonly number[], separator: string | readonly string[]): string {
  let at = 0;
  let made = '';
  lengths.forEach((length, i) => {
    if (i > 0) made += typeof separator === 'string' ? separator : separator[i - 1];
    made += text.slice(at, at + length);
    at += length;
  });
  return made;
}

function luhnDigit(body: string): number {
  let sum = 0;
  for (let i = 0; i < body.length; i++) {
    const digit = Number(body.charAt(body.length - 1 - i));
    sum += i % 2 === 0 ? ([0, 2, 4, 6, 8, 1, 3, 5, 7, 9][digit] as number) : digit;
  }
  return (10 - (sum % 10)) % 10;
}

/** A number with that beginning and length that passes Luhn. */
export function luhnNumber(random: Random, prefix: string, length: number): string {
  const body = prefix + digits(random, length - 1 - prefix.length);
  return body + luhnDigit(body);
}

const dot = (body: string, weights: readonly number[]): number =>
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

/** Verhoeff by group arithmetic of the pentagon instead of its tables. */
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

const yymmdd = ({ year, month, day }: Birth): string => two(year % 100) + two(month) + two(day);
const ddmmyy = ({ year, month, day }: Birth): string => two(day) + two(month) + two(year % 100);

/** Tries until the maker finds a body that has a check digit. */
function until(make: () => string | undefined): string {
  for (;;) {
    const made = make();
    if (made !== undefined) return made;
  }
}

/** One scheme's numbers, its written forms and the words that announce it. */
export interface MadeScheme {
  readonly scheme: string;
  readonly country: string;
  /** A number in its plain form. */
  readonly make: (random: Random) => string;
  /** Written forms that count by themselves. */
  readonly free: readonly ((plain: string) => string)[];
  /** Written forms that count with a key word only. */
  readonly withWord: readonly ((plain: string) => string)[];
  readonly words: readonly string[];
}

const plain = (text: string): string => text;
const form =
  (lengths: readonly number[], separator: string | readonly string[]) =>
  (text: string): string =>
    grouped(text, lengths, separator);

export const MADE_SCHEMES: readonly MadeScheme[] = [
  {
    scheme: 'us_ssn',
    country: 'US',
    words: ['SSN', 'social security number', 'ssn'],
    make: (r) =>
      String(1 + r.below(665)).padStart(3, '0') + two(1 + r.below(99)) + String(1 + r.below(9999)).padStart(4, '0'),
    free: [form([3, 2, 4], '-')],
    withWord: [plain, form([3, 2, 4], ' '), form([3, 2, 4], '.')],
  },
  {
    scheme: 'us_itin',
    country: 'US',
    words: ['ITIN', 'taxpayer id'],
    make: (r) => `9${digits(r, 2)}${r.pick(['50', '65', '70', '88', '90', '92', '94', '99'])}${digits(r, 4)}`,
    free: [form([3, 2, 4], '-')],
    withWord: [plain, form([3, 2, 4], ' ')],
  },
  {
    scheme: 'ca_sin',
    country: 'CA',
    words: ['SIN', 'social insurance number'],
    make: (r) => luhnNumber(r, r.pick(['1', '2', '4', '5', '7']), 9),
    free: [],
    withWord: [plain, form([3, 3, 3], ' '), form([3, 3, 3], '-')],
  },
  {
    scheme: 'br_cpf',
    country: 'BR',
    words: ['CPF', 'cpf'],
    make: (r) => {
      let body = digits(r, 9);
      for (let n = 10; n <= 11; n++) {
        let sum = 0;
        for (let i = 0; i < body.length; i++) sum += Number(body.charAt(i)) * (n - i);
        body += sum % 11 < 2 ? 0 : 11 - (sum % 11);
      }
      return body;
    },
    free: [form([3, 3, 3, 2], ['.', '.', '-'])],
    withWord: [plain],
  },
  {
    scheme: 'cl_rut',
    country: 'CL',
    words: ['RUT', 'rut'],
    make: (r) => {
      const body = `${1 + r.below(2)}${digits(r, 7)}`;
      const sum = dot(body, [3, 2, 7, 6, 5, 4, 3, 2]);
      return body + ['0', 'K', '9', '8', '7', '6', '5', '4', '3', '2', '1'][sum % 11];
    },
    free: [form([2, 3, 3, 1], ['.', '.', '-'])],
    withWord: [form([8, 1], '-')],
  },
  {
    scheme: 'mx_curp',
    country: 'MX',
    words: ['CURP'],
    make: (r) => {
      const body = `${letters(r, 4, 'ABCDEGHLMPR')}${yymmdd(birth(r))}${r.pick(['H', 'M'])}${r.pick(['DF', 'JC', 'NL', 'OC'])}${letters(r, 3, 'BCDFGHJKLM')}${digits(r, 1)}`;
      const alphabet = '0123456789ABCDEFGHIJKLMNÑOPQRSTUVWXYZ';
      let sum = 0;
      for (let i = 0; i < 17; i++) sum += alphabet.indexOf(body.charAt(i)) * (18 - i);
      return body + ((10 - (sum % 10)) % 10);
    },
    free: [plain],
    withWord: [],
  },
  {
    scheme: 'gb_nino',
    country: 'GB',
    words: ['NINO', 'National Insurance number'],
    make: (r) => `${r.pick(['AB', 'CE', 'JG', 'PR', 'YZ', 'HH'])}${digits(r, 6)}${r.pick(['A', 'B', 'C', 'D'])}`,
    free: [plain, form([2, 2, 2, 2, 1], ' ')],
    withWord: [(text) => text.toLowerCase()],
  },
  {
    scheme: 'gb_nhs',
    country: 'GB',
    words: ['NHS number', 'nhs_number', 'NHS no'],
    make: (r) =>
      until(() => {
        const body = `${4 + r.below(5)}${digits(r, 8)}`;
        const check = (11 - (dot(body, [10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11)) % 11;
        return check === 10 ? undefined : body + check;
      }),
    free: [],
    withWord: [plain, form([3, 3, 4], ' '), form([3, 3, 4], '-')],
  },
  {
    scheme: 'gb_utr',
    country: 'GB',
    words: ['UTR', 'unique taxpayer reference'],
    make: (r) => `1${digits(r, 9)}`,
    free: [],
    withWord: [plain, form([5, 5], ' ')],
  },
  {
    scheme: 'ie_pps',
    country: 'IE',
    words: ['PPS number', 'PPSN'],
    make: (r) => {
      const body = digits(r, 7);
      return `${body}${'WABCDEFGHIJKLMNOPQRSTUV'.charAt((dot(body, [8, 7, 6, 5, 4, 3, 2]) + 9) % 23)}A`;
    },
    free: [],
    withWord: [plain],
  },
  {
    scheme: 'fr_nir',
    country: 'FR',
    words: ['NIR', 'numéro de sécurité sociale'],
    make: (r) => {
      const { year, month } = birth(r);
      const body = `${r.pick(['1', '2'])}${two(year % 100)}${two(month)}${two(1 + r.below(95))}${digits(r, 6)}`;
      return body + two(Number(97n - (BigInt(body) % 97n)));
    },
    free: [plain, form([1, 2, 2, 2, 3, 3, 2], ' ')],
    withWord: [],
  },
  {
    scheme: 'de_tax_id',
    country: 'DE',
    words: ['Steuer-ID', 'IdNr', 'steuerliche Identifikationsnummer'],
    make: (r) => {
      const pool = Array.from('1234567890')
        .map((digit) => ({ digit, order: r.next() }))
        .sort((a, b) => a.order - b.order)
        .map(({ digit }) => digit);
      // Ten places, nine digits: one of them twice.
      pool[9] = pool[0] as string;
      if (pool[0] === '0') [pool[0], pool[1]] = [pool[1] as string, pool[0]];
      const body = pool.join('');
      return body + mod1110Digit(body);
    },
    free: [],
    withWord: [plain, form([2, 3, 3, 3], ' ')],
  },
  {
    scheme: 'de_pension',
    country: 'DE',
    words: ['Rentenversicherungsnummer', 'SV-Nummer'],
    make: (r) => {
      const body = `${r.pick(['12', '15', '40', '65'])}${ddmmyy(birth(r))}${letters(r, 1)}${digits(r, 2)}`;
      const numbers = body.slice(0, 8) + two(body.charCodeAt(8) - 64) + body.slice(9);
      const weights = [2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1];
      let sum = 0;
      for (let i = 0; i < 12; i++)
        for (const figure of String(Number(numbers.charAt(i)) * (weights[i] as number))) sum += Number(figure);
      return body + (sum % 10);
    },
    free: [plain],
    withWord: [],
  },
  {
    scheme: 'at_svnr',
    country: 'AT',
    words: ['SVNR', 'Sozialversicherungsnummer'],
    make: (r) =>
      until(() => {
        const serial = `${1 + r.below(9)}${digits(r, 2)}`;
        const date = ddmmyy(birth(r));
        const check = (dot(serial, [3, 7, 9]) + dot(date, [5, 8, 4, 2, 1, 6])) % 11;
        return check === 10 ? undefined : serial + check + date;
      }),
    free: [],
    withWord: [plain, form([4, 6], ' ')],
  },
  {
    scheme: 'ch_ahv',
    country: 'CH',
    words: ['AHV-Nr', 'AHV', 'numéro AVS'],
    make: (r) => {
      const body = `756${digits(r, 9)}`;
      return body + ((10 - (dot(body, [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3]) % 10)) % 10);
    },
    free: [form([3, 4, 4, 2], '.')],
    withWord: [plain],
  },
  {
    scheme: 'be_nrn',
    country: 'BE',
    words: ['rijksregisternummer', 'NISS', 'numéro national'],
    make: (r) => {
      const body = yymmdd(birth(r)) + String(1 + r.below(997)).padStart(3, '0');
      return body + two(97 - (Number(body) % 97));
    },
    free: [form([2, 2, 2, 3, 2], ['.', '.', '-', '.'])],
    withWord: [plain],
  },
  {
    scheme: 'nl_bsn',
    country: 'NL',
    words: ['BSN', 'burgerservicenummer'],
    make: (r) =>
      until(() => {
        const body = `${1 + r.below(8)}${digits(r, 7)}`;
        const check = dot(body, [9, 8, 7, 6, 5, 4, 3, 2]) % 11;
        return check === 10 ? undefined : body + check;
      }),
    free: [],
    withWord: [plain, form([4, 2, 3], '.')],
  },
  {
    scheme: 'it_cf',
    country: 'IT',
    words: ['codice fiscale', 'CF'],
    make: (r) => {
      const { year, month, day } = birth(r);
      const body = `${letters(r, 6, 'BCDFGLMNPRSTV')}${two(year % 100)}${'ABCDEHLMPRST'.charAt(month - 1)}${two(day + 40 * r.below(2))}${letters(r, 1, 'ABCDEFGHIL')}${digits(r, 3)}`;
      // The letters in the order of their values at odd places.
      const odd = 'BAKPLCQDREVOSFTGUHMINJWZYX';
      let sum = 0;
      for (let i = 0; i < 15; i++) {
        const character = body.charAt(i);
        const place = character >= 'A' ? character.charCodeAt(0) - 65 : Number(character);
        sum += i % 2 === 1 ? place : odd.indexOf(String.fromCharCode(65 + place));
      }
      return body + String.fromCharCode(65 + (sum % 26));
    },
    free: [plain, (text) => text.toLowerCase()],
    withWord: [],
  },
  {
    scheme: 'es_dni',
    country: 'ES',
    words: ['DNI', 'NIF'],
    make: (r) => {
      const body = digits(r, 8);
      return body + 'TRWAGMYFPDXBNJZSQVHLCKE'.charAt(Number(body) % 23);
    },
    free: [plain, form([8, 1], '-')],
    withWord: [form([8, 1], ' ')],
  },
  {
    scheme: 'es_nie',
    country: 'ES',
    words: ['NIE'],
    make: (r) => {
      const first = r.below(3);
      const body = digits(r, 7);
      return 'XYZ'.charAt(first) + body + 'TRWAGMYFPDXBNJZSQVHLCKE'.charAt(Number(`${first}${body}`) % 23);
    },
    free: [plain, form([1, 7, 1], '-')],
    withWord: [],
  },
  {
    scheme: 'pt_nif',
    country: 'PT',
    words: ['NIF', 'contribuinte'],
    make: (r) => {
      const body = r.pick(['1', '2']) + digits(r, 7);
      const rest = dot(body, [9, 8, 7, 6, 5, 4, 3, 2]) % 11;
      return body + (rest < 2 ? 0 : 11 - rest);
    },
    free: [],
    withWord: [plain, form([3, 3, 3], ' ')],
  },
  {
    scheme: 'gr_amka',
    country: 'GR',
    words: ['AMKA', 'ΑΜΚΑ'],
    make: (r) => {
      const body = ddmmyy(birth(r)) + digits(r, 4);
      return body + luhnDigit(body);
    },
    free: [],
    withWord: [plain],
  },
  {
    scheme: 'se_pnr',
    country: 'SE',
    words: ['personnummer', 'personnr'],
    make: (r) => {
      // Born before 1960: never the time stamp of a log.
      const body = yymmdd({ ...birth(r), year: 1941 + r.below(59) }) + digits(r, 3);
      return body + luhnDigit(body);
    },
    free: [form([6, 4], '-'), (text) => `19${grouped(text, [6, 4], '-')}`],
    withWord: [plain, (text) => `19${text}`],
  },
  {
    scheme: 'no_fnr',
    country: 'NO',
    words: ['fødselsnummer', 'fnr'],
    make: (r) =>
      until(() => {
        const body = ddmmyy(birth(r)) + digits(r, 3);
        const first = (11 - (dot(body, [3, 7, 6, 1, 8, 9, 4, 5, 2]) % 11)) % 11;
        const second = (11 - (dot(body + first, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11)) % 11;
        return first === 10 || second === 10 ? undefined : `${body}${first}${second}`;
      }),
    free: [],
    withWord: [plain, form([6, 5], ' ')],
  },
  {
    scheme: 'dk_cpr',
    country: 'DK',
    words: ['CPR', 'cpr-nummer'],
    make: (r) => ddmmyy(birth(r)) + digits(r, 4),
    free: [],
    withWord: [form([6, 4], '-'), plain],
  },
  {
    scheme: 'fi_hetu',
    country: 'FI',
    words: ['henkilötunnus', 'hetu'],
    make: (r) => {
      const date = ddmmyy(birth(r));
      const serial = String(2 + r.below(897)).padStart(3, '0');
      return `${date}-${serial}${'0123456789ABCDEFHJKLMNPRSTUVWXY'.charAt(Number(date + serial) % 31)}`;
    },
    free: [plain],
    withWord: [],
  },
  {
    scheme: 'ee_ik',
    country: 'EE',
    words: ['isikukood'],
    make: (r) => {
      const body = r.pick(['3', '4']) + yymmdd(birth(r)) + digits(r, 3);
      let check = dot(body, [1, 2, 3, 4, 5, 6, 7, 8, 9, 1]) % 11;
      if (check === 10) check = (dot(body, [3, 4, 5, 6, 7, 8, 9, 1, 2, 3]) % 11) % 10;
      return body + check;
    },
    free: [],
    withWord: [plain],
  },
  {
    scheme: 'lt_ak',
    country: 'LT',
    words: ['asmens kodas'],
    make: (r) => {
      const body = r.pick(['3', '4']) + yymmdd(birth(r)) + digits(r, 3);
      let check = dot(body, [1, 2, 3, 4, 5, 6, 7, 8, 9, 1]) % 11;
      if (check === 10) check = (dot(body, [3, 4, 5, 6, 7, 8, 9, 1, 2, 3]) % 11) % 10;
      return body + check;
    },
    free: [],
    withWord: [plain],
  },
  {
    scheme: 'lv_pk',
    country: 'LV',
    words: ['personas kods'],
    make: (r) => {
      const body = `${ddmmyy(birth(r))}1${digits(r, 3)}`;
      return body + (((1 + dot(body, [10, 5, 8, 4, 2, 1, 6, 3, 7, 9])) % 11) % 10);
    },
    free: [],
    withWord: [form([6, 5], '-'), plain],
  },
  {
    scheme: 'pl_pesel',
    country: 'PL',
    words: ['PESEL', 'pesel', 'nr PESEL'],
    make: (r) => {
      const body = yymmdd(birth(r)) + digits(r, 4);
      return body + ((10 - (dot(body, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3]) % 10)) % 10);
    },
    free: [],
    withWord: [plain],
  },
  {
    scheme: 'cz_rc',
    country: 'CZ',
    words: ['rodné číslo', 'RČ'],
    make: (r) =>
      until(() => {
        const body = yymmdd({ ...birth(r), year: 1955 + r.below(44) }) + digits(r, 3);
        const check = Number(body) % 11;
        return check === 10 ? undefined : body + check;
      }),
    free: [form([6, 4], '/')],
    withWord: [plain],
  },
  {
    scheme: 'ro_cnp',
    country: 'RO',
    words: ['CNP', 'cod numeric personal'],
    make: (r) => {
      const body = `${r.pick(['1', '2'])}${yymmdd(birth(r))}${two(1 + r.below(46))}${digits(r, 3)}`;
      const check = dot(body, [2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9]) % 11;
      return body + (check === 10 ? 1 : check);
    },
    free: [],
    withWord: [plain],
  },
  {
    scheme: 'bg_egn',
    country: 'BG',
    words: ['ЕГН', 'EGN'],
    make: (r) => {
      const body = yymmdd(birth(r)) + digits(r, 3);
      return body + ((dot(body, [2, 4, 8, 5, 10, 9, 7, 3, 6]) % 11) % 10);
    },
    free: [],
    withWord: [plain],
  },
  {
    scheme: 'hr_oib',
    country: 'HR',
    words: ['OIB'],
    make: (r) => {
      const body = digits(r, 10);
      return body + mod1110Digit(body);
    },
    free: [],
    withWord: [plain],
  },
  {
    scheme: 'tr_tckn',
    country: 'TR',
    words: ['TC kimlik no', 'TCKN'],
    make: (r) => {
      const body = `${1 + r.below(9)}${digits(r, 8)}`;
      const tenth = ((dot(body, [7, -1, 7, -1, 7, -1, 7, -1, 7]) % 10) + 10) % 10;
      return `${body}${tenth}${Array.from(body).reduce((sum, digit) => sum + Number(digit), tenth) % 10}`;
    },
    free: [],
    withWord: [plain],
  },
  {
    scheme: 'cn_ric',
    country: 'CN',
    words: ['身份证', 'resident id'],
    make: (r) => {
      const { year, month, day } = birth(r);
      const body = `${r.pick(['110101', '310115', '440305', '510104'])}${year}${two(month)}${two(day)}${digits(r, 3)}`;
      return body + '10X98765432'.charAt(dot(body, [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]) % 11);
    },
    free: [plain],
    withWord: [],
  },
  {
    scheme: 'tw_nid',
    country: 'TW',
    words: ['身分證字號'],
    make: (r) => {
      const first = letters(r, 1);
      const body = r.pick(['1', '2']) + digits(r, 7);
      const code = 10 + 'ABCDEFGHJKLMNPQRSTUVXYWZIO'.indexOf(first);
      const sum = Math.floor(code / 10) + (code % 10) * 9 + dot(body, [8, 7, 6, 5, 4, 3, 2, 1]);
      return first + body + ((10 - (sum % 10)) % 10);
    },
    free: [plain],
    withWord: [],
  },
  {
    scheme: 'hk_hkid',
    country: 'HK',
    words: ['HKID'],
    make: (r) => {
      const first = letters(r, 1);
      const body = digits(r, 6);
      const sum = 36 * 9 + (first.charCodeAt(0) - 55) * 8 + dot(body, [7, 6, 5, 4, 3, 2]);
      return first + body + '0123456789A'.charAt((11 - (sum % 11)) % 11);
    },
    free: [(text) => `${text.slice(0, 7)}(${text.slice(7)})`],
    withWord: [plain],
  },
  {
    scheme: 'sg_nric',
    country: 'SG',
    words: ['NRIC', 'FIN'],
    make: (r) => {
      const prefix = r.pick(['S', 'T', 'F', 'G']);
      const body = digits(r, 7);
      const rest = (dot(body, [2, 7, 6, 5, 4, 3, 2]) + (prefix === 'T' || prefix === 'G' ? 4 : 0)) % 11;
      return prefix + body + (prefix === 'S' || prefix === 'T' ? 'JZIHGFEDCBA' : 'XWUTRQPNMLK').charAt(rest);
    },
    free: [plain],
    withWord: [],
  },
  {
    scheme: 'my_nric',
    country: 'MY',
    words: ['MyKad', 'NRIC', 'IC number'],
    make: (r) => `${yymmdd(birth(r))}${r.pick(['01', '10', '14', '56'])}${digits(r, 4)}`,
    free: [],
    withWord: [form([6, 2, 4], '-'), plain],
  },
  {
    scheme: 'th_pin',
    country: 'TH',
    words: ['เลขบัตรประชาชน', 'Thai ID'],
    make: (r) => {
      const body = `${1 + r.below(8)}${digits(r, 11)}`;
      return body + ((11 - (dot(body, [13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11)) % 10);
    },
    free: [form([1, 4, 5, 2, 1], '-')],
    withWord: [plain],
  },
  {
    scheme: 'kr_rrn',
    country: 'KR',
    words: ['주민등록번호', 'RRN'],
    make: (r) => `${yymmdd(birth(r))}${r.pick(['1', '2'])}${digits(r, 6)}`,
    free: [form([6, 7], '-')],
    withWord: [plain],
  },
  {
    scheme: 'jp_my_number',
    country: 'JP',
    words: ['マイナンバー', 'My Number'],
    make: (r) => {
      const body = digits(r, 11);
      const rest = dot(body, [6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11;
      return body + (rest < 2 ? 0 : 11 - rest);
    },
    free: [],
    withWord: [plain],
  },
  {
    scheme: 'in_aadhaar',
    country: 'IN',
    words: ['Aadhaar', 'aadhaar_number'],
    make: (r) => {
      const body = `${2 + r.below(8)}${digits(r, 10)}`;
      return body + verhoeffDigit(body);
    },
    free: [form([4, 4, 4], ' '), form([4, 4, 4], '-')],
    withWord: [plain],
  },
  {
    scheme: 'in_pan',
    country: 'IN',
    words: ['PAN', 'PAN card', 'permanent account number'],
    make: (r) => `${letters(r, 3)}P${letters(r, 1)}${digits(r, 4)}${letters(r, 1)}`,
    free: [],
    withWord: [plain],
  },
  {
    scheme: 'pk_cnic',
    country: 'PK',
    words: ['CNIC'],
    make: (r) => `${1 + r.below(7)}${digits(r, 12)}`,
    free: [],
    withWord: [form([5, 7, 1], '-'), plain],
  },
  {
    scheme: 'id_nik',
    country: 'ID',
    words: ['NIK', 'KTP'],
    make: (r) => `${r.pick(['3173', '3271', '5171', '1271'])}${two(1 + r.below(20))}${ddmmyy(birth(r))}${digits(r, 4)}`,
    free: [],
    withWord: [plain],
  },
  {
    scheme: 'il_id',
    country: 'IL',
    words: ['תעודת זהות', 'teudat zehut'],
    make: (r) => luhnNumber(r, r.pick(['2', '3']), 9),
    free: [],
    withWord: [plain],
  },
  {
    scheme: 'za_id',
    country: 'ZA',
    words: ['ID number', 'SA ID'],
    make: (r) => {
      const body = `${yymmdd(birth(r))}${digits(r, 4)}${r.below(2)}8`;
      return body + luhnDigit(body);
    },
    free: [],
    withWord: [plain],
  },
  {
    scheme: 'au_tfn',
    country: 'AU',
    words: ['TFN', 'tax file number'],
    make: (r) =>
      until(() => {
        const body = `${1 + r.below(9)}${digits(r, 7)}`;
        // The last weight is 10, that is -1: the remainder itself completes the sum.
        const check = dot(body, [1, 4, 3, 7, 5, 8, 6, 9]) % 11;
        return check === 10 ? undefined : body + check;
      }),
    free: [],
    withWord: [plain, form([3, 3, 3], ' ')],
  },
  {
    scheme: 'ar_dni',
    country: 'AR',
    words: ['DNI'],
    make: (r) => `${1 + r.below(4)}${digits(r, 7)}`,
    free: [],
    withWord: [form([2, 3, 3], '.'), plain],
  },
];

/** Card brands: beginnings, length and groups. */
export const MADE_CARDS: readonly {
  readonly brand: string;
  readonly prefixes: readonly string[];
  readonly length: number;
  readonly groups: readonly number[];
  readonly needsWord: boolean;
}[] = [
  { brand: 'visa', prefixes: ['4'], length: 16, groups: [4, 4, 4, 4], needsWord: false },
  {
    brand: 'mastercard',
    prefixes: ['51', '53', '55', '2221', '2720', '2500'],
    length: 16,
    groups: [4, 4, 4, 4],
    needsWord: false,
  },
  { brand: 'amex', prefixes: ['34', '37'], length: 15, groups: [4, 6, 5], needsWord: false },
  { brand: 'discover', prefixes: ['6011', '644', '65'], length: 16, groups: [4, 4, 4, 4], needsWord: false },
  { brand: 'diners', prefixes: ['300', '305', '36', '38'], length: 14, groups: [4, 6, 4], needsWord: false },
  { brand: 'jcb', prefixes: ['3528', '3589'], length: 16, groups: [4, 4, 4, 4], needsWord: false },
  { brand: 'unionpay', prefixes: ['62'], length: 16, groups: [4, 4, 4, 4], needsWord: false },
  { brand: 'visa', prefixes: ['4'], length: 13, groups: [13], needsWord: true },
  { brand: 'visa', prefixes: ['4'], length: 19, groups: [19], needsWord: true },
  { brand: 'maestro', prefixes: ['5018', '6759'], length: 16, groups: [4, 4, 4, 4], needsWord: true },
  { brand: 'mir', prefixes: ['2200', '2204'], length: 16, groups: [4, 4, 4, 4], needsWord: true },
];
