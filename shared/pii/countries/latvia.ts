import { isDayMonthYear, weightedSum } from '../checksums.ts';
import type { Country } from '../national-id.ts';

/** Labels of Russian speakers, in Lithuania too. */
export const RUSSIAN_LABELS = [
  'персональный код',
  'персонального кода',
  'персональному коду',
  'персональным кодом',
] as const;

const LV_WEIGHTS = [10, 5, 8, 4, 2, 1, 6, 3, 7, 9];

/** Numbers since 2017 begin with 32 to 39, which is no day, and have no check digit. */
function hasNoBirthDate(v: Uint8Array): boolean {
  return v[0] === 3 && (v[1] as number) >= 2;
}

function isPersonasKods(v: Uint8Array): boolean {
  if (hasNoBirthDate(v)) return true;
  if (!isDayMonthYear(v, 0) || (v[6] as number) > 2) return false;
  return ((1 + weightedSum(v, LV_WEIGHTS)) % 11) % 10 === v[10];
}

export const country: Country = {
  code: 'LV',
  adjectives: ['latvian'],
  words: 'latvija latvijas latvia pmlp vsaa eparaksts rīga',
  schemes: [
    {
      scheme: 'lv_pk',
      name: 'Personas kods',
      pattern: 'DDMMYY-99999 or 11 digits; 32… to 39… since 2017',
      checksum: 'weights 10 5 8 4 2 1 6 3 7 9, modulo 11 (none for 32… to 39…)',
      labels: {
        official: [
          'personas kods',
          'personas koda',
          'personas kodam',
          'personas kodu',
          'personas kodā',
          'personas kodi',
          'personas kodiem',
        ],
        'Microsoft Purview': ['personal code'],
        unsourced: ['pers. kods', 'pers. koda', 'pers. kodu', 'p.k.', ...RUSSIAN_LABELS],
      },
      source: 'Fizisko personu reģistra likums',
      check: isPersonasKods,
      isUnchecked: hasNoBirthDate,
      shapes: { keyword: ['6-5', '11'] },
    },
  ],
};
