import { areAllDigits, valuesOf, weightedSum } from '../checksums.ts';
import type { Country } from '../national-id.ts';

const SG_WEIGHTS = [2, 7, 6, 5, 4, 3, 2];
const SG_CITIZEN = valuesOf('JZIHGFEDCBA');
const SG_FOREIGNER = valuesOf('XWUTRQPNMLK');
const SG_FOREIGNER_M = valuesOf('XWUTRQPNJLK');
const SG_PREFIXES = valuesOf('STFGM');

function isNric(v: Uint8Array): boolean {
  const prefix = SG_PREFIXES.indexOf(v[0] as number);
  if (prefix < 0 || !areAllDigits(v, 1, 7)) return false;
  const sum = weightedSum(v, SG_WEIGHTS, 1) + (prefix === 1 || prefix === 3 ? 4 : prefix === 4 ? 3 : 0);
  const table = prefix < 2 ? SG_CITIZEN : prefix < 4 ? SG_FOREIGNER : SG_FOREIGNER_M;
  return table[sum % 11] === v[8];
}

export const country: Country = {
  code: 'SG',
  adjectives: ['singapore', 'singaporean'],
  words: 'singpass corppass myinfo iras ica hdb sgd',
  schemes: [
    {
      scheme: 'sg_nric',
      name: 'NRIC / FIN',
      pattern: 'S, T, F, G or M, 7 digits and a letter',
      checksum: 'weights 2 7 6 5 4 3 2, modulo 11',
      context: 'not needed; needed in groups',
      labels: {
        official: ['nric', 'fin', 'foreign identification number'],
        'Singpass APIs (GovTech)': ['myinfo', 'singpass', 'sgid', 'uinfin'],
        unsourced: ['nric no', 'fin no', 'nric number', 'fin number', 'uin'],
      },
      source: 'National Registration Act 1965; ICA',
      check: isNric,
      anyCase: true,
      shapes: { free: ['9x'], keyword: ['1a-7-1a', '8x-1a', '1a 7 1a'] },
    },
  ],
};
