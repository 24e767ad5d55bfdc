// Check digits by their public definitions. The scanner has an implementation of its own, and
// neither imports the other, so that one mistake cannot be in both.

export function digitsOf(text: string): number[] {
  return Array.from(text).map(Number);
}

/** The sum of the digits of `text`, each multiplied by the weight at its place. */
export function weightedSum(text: string, weights: readonly number[]): number {
  return digitsOf(text)
    .slice(0, weights.length)
    .reduce((sum, digit, place) => sum + digit * (weights[place] as number), 0);
}

/** Descending weights: `countdown(10, 2)` is 10, 9 … 2. */
export function countdown(from: number, to: number): number[] {
  return Array.from({ length: from - to + 1 }, (_, step) => from - step);
}

/** ISO/IEC 7812-1, annex B: the digit that makes `body` and itself pass Luhn. */
export function luhnDigit(body: string): number {
  const sum = digitsOf(body)
    .reverse()
    .reduce((total, digit, place) => {
      if (place % 2 === 1) return total + digit;
      return total + (digit > 4 ? digit * 2 - 9 : digit * 2);
    }, 0);
  return (10 - (sum % 10)) % 10;
}

/** Verhoeff's digit: multiplication of the dihedral group of ten, permuted by place. */
export function verhoeffDigit(body: string): number {
  let check = 0;
  digitsOf(`${body}0`)
    .reverse()
    .forEach((digit, place) => {
      let permuted = digit;
      for (let round = 0; round < place % 8; round++) permuted = [1, 5, 7, 6, 2, 8, 3, 0, 9, 4][permuted] as number;
      check = dihedralProduct(check, permuted);
    });
  return check > 0 && check < 5 ? 5 - check : check;
}

function dihedralProduct(left: number, right: number): number {
  if (left < 5) return right < 5 ? (left + right) % 5 : 5 + ((left + right) % 5);
  return right < 5 ? 5 + ((left - right + 5) % 5) : (left - right + 5) % 5;
}

/** ISO/IEC 7064, MOD 11,10: OIB, Steuer-ID. */
export function hybridDigit(body: string): number {
  const product = digitsOf(body).reduce((carry, digit) => (((carry + digit) % 10 || 10) * 2) % 11, 10);
  return (11 - product) % 10;
}

/** ISO/IEC 7064, MOD 11-2: the number of Chinese residents, with `X` for ten. */
export function pureCheck(body: string): string {
  const sum = digitsOf(body).reduce((total, digit, place) => total + digit * 2 ** (body.length - place), 0);
  return '10X98765432'.charAt(sum % 11);
}

/** EAN-13, the check digit of an AHV number. */
export function eanDigit(body: string): number {
  return (10 - (weightedSum(body, [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3]) % 10)) % 10;
}

/** Estonia and Lithuania: a second round of weights if the first remainder is ten. */
export function balticDigit(body: string): number {
  const first = weightedSum(body, [1, 2, 3, 4, 5, 6, 7, 8, 9, 1]) % 11;
  if (first < 10) return first;
  return (weightedSum(body, [3, 4, 5, 6, 7, 8, 9, 1, 2, 3]) % 11) % 10;
}

/** Kazakhstan: two rounds of weights. Ten means that the number is not assigned. */
export function kazakhDigit(body: string): number {
  const first = weightedSum(body, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]) % 11;
  return first < 10 ? first : weightedSum(body, [3, 4, 5, 6, 7, 8, 9, 10, 11, 1, 2]) % 11;
}

/** Decreto ministeriale 23 dicembre 1976: characters at odd places are translated by a table. */
export function codiceFiscaleLetter(body: string): string {
  const odd = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23];
  const sum = Array.from(body).reduce((total, character, place) => {
    const value = /\d/.test(character) ? Number(character) : character.charCodeAt(0) - 65;
    return total + (place % 2 === 0 ? (odd[value] as number) : value);
  }, 0);
  return String.fromCharCode(65 + (sum % 26));
}

/** CURP: weights 18 to 2 over an alphabet that includes Ñ. */
export function curpDigit(body: string): number {
  const alphabet = '0123456789ABCDEFGHIJKLMNÑOPQRSTUVWXYZ';
  const sum = Array.from(body).reduce(
    (total, character, place) => total + alphabet.indexOf(character) * (18 - place),
    0,
  );
  return (10 - (sum % 10)) % 10;
}

/** German pension insurance: the letter counts as two digits, products as their digit sums. */
export function pensionDigit(body: string): number {
  const spelled = body.replace(/[A-Z]/, (letter) => String(letter.charCodeAt(0) - 64).padStart(2, '0'));
  const weights = [2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1];
  const sum = digitsOf(spelled).reduce((total, digit, place) => {
    const product = digit * (weights[place] as number);
    return total + Math.floor(product / 10) + (product % 10);
  }, 0);
  return sum % 10;
}

/** Hong Kong: letters are 10 to 35, a missing first letter is 36, ten is `A`. */
export function hkidCheck(body: string): string {
  const values = [36, body.charCodeAt(0) - 55, ...digitsOf(body.slice(1))];
  const sum = values.reduce((total, value, place) => total + value * (9 - place), 0);
  const check = (11 - (sum % 11)) % 11;
  return check === 10 ? 'A' : String(check);
}

/** Taiwan: the letter is the code of a county, of two digits. */
export function taiwanDigit(body: string): number {
  const county = 'ABCDEFGHJKLMNPQRSTUVXYWZIO'.indexOf(body.charAt(0)) + 10;
  const sum = Math.floor(county / 10) + (county % 10) * 9 + weightedSum(body.slice(1), [8, 7, 6, 5, 4, 3, 2, 1]);
  return (10 - (sum % 10)) % 10;
}

/** Singapore: S and T are of citizens, F and G of foreigners. T and G shift the sum by four. */
export function nricLetter(body: string): string {
  const isForeigner = /[FG]/.test(body);
  const sum = weightedSum(body.slice(1), [2, 7, 6, 5, 4, 3, 2]) + (/[TG]/.test(body) ? 4 : 0);
  return (isForeigner ? 'XWUTRQPNMLK' : 'JZIHGFEDCBA').charAt(sum % 11);
}

/** Portuguese citizen card: Luhn over letters and digits, A is 10. */
export function citizenCardDigit(body: string): number {
  const sum = Array.from(body).reduce((total, character, place) => {
    const value = Number.parseInt(character, 36);
    if (place % 2 === 1) return total + value;
    return total + (value > 4 ? value * 2 - 9 : value * 2);
  }, 0);
  return (10 - (sum % 10)) % 10;
}

/** The last digit of a Korean resident registration number. */
export function koreanDigit(body: string): number {
  return (11 - (weightedSum(body, [2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5]) % 11)) % 10;
}

/** The last character of a Mexican RFC: `A` for ten. */
export function rfcCheck(body: string): string {
  const alphabet = '0123456789ABCDEFGHIJKLMN&OPQRSTUVWXYZ';
  const sum = Array.from(body).reduce(
    (total, character, place) => total + alphabet.indexOf(character) * (13 - place),
    0,
  );
  return '0123456789A'.charAt((11 - (sum % 11)) % 11);
}
