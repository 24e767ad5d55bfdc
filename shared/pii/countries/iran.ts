import { areAllSame } from '../checksums.ts';
import type { Country } from '../national-id.ts';

function isMelli(v: Uint8Array): boolean {
  let sum = 0;
  for (let i = 0; i < 9; i++) sum += (v[i] as number) * (10 - i);
  const rest = sum % 11;
  return (rest < 2 ? rest : 11 - rest) === v[9] && !areAllSame(v, 0, 10);
}

export const country: Country = {
  code: 'IR',
  adjectives: ['iranian'],
  schemes: [
    {
      scheme: 'ir_melli',
      name: 'National code (کد ملی)',
      pattern: '10 digits, bare or 999-999999-9',
      checksum: 'weights 10 to 2, modulo 11',
      labels: {
        unsourced: [
          'meli code',
          'kod melli',
          'kode melli',
          'کد ملی من',
          'کد ملی',
          'شماره ملی',
          'code melli',
          'melli',
          'melli code',
          'national code',
          'shomare melli',
        ],
      },
      source: 'Sabt-e Ahval',
      check: isMelli,
      shapes: { keyword: ['10', '3-6-1'] },
    },
  ],
};
