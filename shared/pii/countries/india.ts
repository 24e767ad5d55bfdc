import { areAllDigits, areAllLetters, areAllSame, passesVerhoeff, valuesOf } from '../checksums.ts';
import type { Country } from '../national-id.ts';

const PAN_HOLDERS = new Set(valuesOf('ABCFGHJLPT'));

function isAadhaar(v: Uint8Array): boolean {
  return (v[0] as number) > 1 && passesVerhoeff(v, 12) && !areAllSame(v, 0, 12);
}

function isPan(v: Uint8Array): boolean {
  return areAllLetters(v, 0, 5) && areAllDigits(v, 5, 4) && (v[9] as number) > 9 && PAN_HOLDERS.has(v[3] as number);
}

export const country: Country = {
  code: 'IN',
  adjectives: ['indian'],
  schemes: [
    {
      scheme: 'in_aadhaar',
      name: 'Aadhaar',
      pattern: '9999 9999 9999, 9999-9999-9999 or 12 digits, first digit 2 to 9',
      checksum: 'Verhoeff',
      context: 'not needed for 4-4-4; needed for bare digits',
      labels: {
        official: ['aadhaar', 'aadhaar number', 'uidai'],
        unsourced: [
          'ஆதார்',
          'আধার',
          'ఆధార్',
          'ಆಧಾರ್',
          'આધાર',
          'ആധാർ',
          'ਆਧਾਰ',
          'aadhaar no',
          'aadhar',
          'aadhar card',
          'adhaar',
          'adhar',
          'आधार',
        ],
      },
      keysBesideLabel: ['uid'],
      source: 'UIDAI',
      check: isAadhaar,
      shapes: { free: ['4 4 4', '4-4-4'], keyword: ['12', '4.4.4'] },
    },
    {
      scheme: 'in_pan',
      name: 'Permanent Account Number',
      pattern: 'AAAAA9999A, fourth letter one of A B C F G H J L P T',
      checksum: 'none',
      labels: {
        official: ['pan', 'permanent account number'],
        TallyPrime: ['incometaxnumber'],
        unsourced: ['pan no', 'pan number', 'pan card', 'income tax', 'पैन', 'स्थायी खाता संख्या'],
      },
      source: 'Income-tax Rules 1962, rule 114',
      evidence: 'format',
      check: isPan,
      shapes: { keyword: ['10x', '5a-4-1a', '5a 4 1a'] },
    },
  ],
};
