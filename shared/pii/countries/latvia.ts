import { isValidDate, numberAt, weightedSum } from '../checksums.ts';
import type { Country } from '../national-id.ts';

const LV_WEIGHTS = [10, 5, 8, 4, 2, 1, 6, 3, 7, 9];

function isPersonasKods(v: Uint8Array): boolean {
  if (v[0] === 3 && v[1] === 2) return true;
  if (!isValidDate(numberAt(v, 4, 2), numberAt(v, 2, 2), numberAt(v, 0, 2)) || (v[6] as number) > 2) return false;
  return ((1 + weightedSum(v, LV_WEIGHTS)) % 11) % 10 === v[10];
}

export const LATVIA: Country = {
  code: 'LV',
  adjectives: ['latvian'],
  schemes: [
    {
      scheme: 'lv_pk',
      name: 'Personas kods',
      pattern: 'DDMMYY-99999 or 11 digits; 32… since 2017',
      checksum: 'weights 10 5 8 4 2 1 6 3 7 9, modulo 11 (none for 32…)',
      context: 'always needed',
      keywords: ['personas kods', 'personas koda', 'personaskods', 'personal code', 'personas kodu'],
      source: 'Fizisko personu reģistra likums',
      evidence: 'checksum',
      check: isPersonasKods,
      shapes: { '6-5': 'keyword', '11': 'keyword' },
    },
  ],
};
