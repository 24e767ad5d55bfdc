import { isYearMonthDay, numberAt, weightedSum } from '../checksums.ts';
import type { Country } from '../national-id.ts';

const CNP_WEIGHTS = [2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9];

function isCnp(v: Uint8Array): boolean {
  const county = numberAt(v, 7, 2);
  if (v[0] === 0 || !isYearMonthDay(v, 1)) return false;
  if (county < 1 || (county > 52 && county !== 70)) return false;
  const check = weightedSum(v, CNP_WEIGHTS) % 11;
  return (check === 10 ? 1 : check) === v[12];
}

export const country: Country = {
  code: 'RO',
  adjectives: ['romanian'],
  schemes: [
    {
      scheme: 'ro_cnp',
      name: 'Cod numeric personal',
      pattern: '13 digits: sex and century, YYMMDD, county, serial, check digit',
      checksum: 'weights 279146358279, modulo 11',
      labels: {
        official: ['cnp', 'cod numeric personal', 'codul numeric personal', 'codului numeric personal'],
        unsourced: ['cnpul', 'cnpului'],
      },
      source: 'Legea 105/1996; Direcția pentru Evidența Persoanelor',
      check: isCnp,
      shapes: { keyword: ['13', '1 6 6', '1-6-6', '1 6 2 4'] },
    },
  ],
};
