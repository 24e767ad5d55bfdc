import { areAllDigits, isValidDate, numberAt, passesMod1110 } from '../checksums.ts';
import { type Country, TAX_NUMBER_KEYWORDS } from '../national-id.ts';

const DE_PENSION_WEIGHTS = [2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1];

function isGermanTaxId(v: Uint8Array): boolean {
  if (v[0] === 0) return false;
  let repeated = 0;
  for (let digit = 0; digit < 10; digit++) {
    let count = 0;
    for (let i = 0; i < 10; i++) if (v[i] === digit) count++;
    if (count > 3) return false;
    if (count > 1) repeated++;
  }
  return repeated <= 1 && passesMod1110(v, 11);
}

function isGermanPensionNumber(v: Uint8Array): boolean {
  if (!areAllDigits(v, 0, 8) || (v[8] as number) < 10 || !areAllDigits(v, 9, 3)) return false;
  const area = numberAt(v, 0, 2);
  const day = numberAt(v, 2, 2);
  if (area < 2 || !isValidDate(numberAt(v, 6, 2), numberAt(v, 4, 2), day > 50 ? day - 50 : day)) return false;
  const initial = (v[8] as number) - 9;
  let sum = 0;
  for (let i = 0; i < 12; i++) {
    const digit = i < 8 ? v[i] : i === 8 ? Math.floor(initial / 10) : i === 9 ? initial % 10 : v[i - 1];
    const product = (digit as number) * (DE_PENSION_WEIGHTS[i] as number);
    sum += Math.floor(product / 10) + (product % 10);
  }
  return sum % 10 === v[11];
}

export const country: Country = {
  code: 'DE',
  adjectives: ['german'],
  words: 'deutschland germany elster finanzamt bzst datev aok berlin münchen hamburg köln frankfurt',
  schemes: [
    {
      scheme: 'de_tax_id',
      name: 'Steuerliche Identifikationsnummer',
      pattern: '11 digits, bare or 99 999 999 999; among the first ten at most one digit occurs twice or three times',
      checksum: 'ISO/IEC 7064 MOD 11,10',
      labels: {
        official: [
          'identifikationsnummer',
          'steueridentifikationsnummer',
          'steuerliche identifikationsnummer',
          'steuerlichen identifikationsnummer',
        ],
        'python-stdnum': ['idnr'],
        'Microsoft Presidio': ['steuer-id', 'steuer-idnr', 'steuernummer'],
        unsourced: [
          'st-idnr',
          'identifikationsnr',
          'steuerliche id',
          'steueridentifikationsnr',
          'steuer-identifikationsnr',
          'steuerliche identifikationsnr',
          'persönliche identifikationsnummer',
          'id-nr',
          'steuer ident nr',
          'steuer-identnr',
          'steueridentnr',
          'steuerident',
          'identnr',
          'identnummer',
          'steueridentnummer',
          'steuer identnummer',
          'steuer-id-nr',
          'steuer identifikationsnummer',
          'steuer nummer',
          ...TAX_NUMBER_KEYWORDS,
        ],
      },
      source: 'Abgabenordnung § 139b; Steueridentifikationsnummerverordnung',
      check: isGermanTaxId,
      shapes: { keyword: ['11', '2 3 3 3', '2-3-3-3', '3 3 3 2', '2/3/3/3', '3/3/4/1'] },
    },
    {
      scheme: 'de_pension',
      name: 'Versicherungsnummer der Rentenversicherung',
      pattern: '99999999A999, bare or 99 999999 A 999: area, date of birth DDMMYY, initial, serial, check digit',
      checksum: 'weighted digit sums, modulo 10',
      context: 'not needed',
      labels: {
        official: ['versicherungsnummer', 'versicherungsnummern'],
        'Microsoft Presidio': ['rentenversicherungsnummer', 'sozialversicherungsnummer', 'rvnr', 'svnr', 'sv-nummer'],
        unsourced: [
          'rentenversicherungsnr',
          'sozialversicherungsnr',
          'rentenvers.-nr',
          'sozialvers.-nr',
          'sv-nr',
          'rv-nr',
          'rv-nummer',
        ],
      },
      source: 'Versicherungsnummern-, Kontoführungs- und Versicherungsverlaufsverordnung § 2',
      check: isGermanPensionNumber,
      shapes: {
        free: ['12x', '2 6 1a 3', '2 6 4x', '8 1a 3', '2 6 1a 2 1', '2 2 2 2 1a 3', '2 2 2 2 1a 2 1', '2-6-1a-3'],
      },
    },
  ],
};
