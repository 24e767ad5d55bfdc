import { numberAt, weightedSum } from '../checksums.ts';
import type { Country } from '../national-id.ts';

const IRD_FIRST = [3, 2, 7, 6, 5, 4, 3, 2];
const IRD_SECOND = [7, 4, 3, 2, 5, 2, 7, 6];

function isIrd(v: Uint8Array, length: number): boolean {
  const base = numberAt(v, 0, length);
  if (base < 10_000_000 || base > 150_000_000) return false;
  const full = new Uint8Array(9);
  full.set(v.subarray(0, length), 9 - length);
  let check = (11 - (weightedSum(full, IRD_FIRST) % 11)) % 11;
  if (check === 10) check = (11 - (weightedSum(full, IRD_SECOND) % 11)) % 11;
  return check === full[8];
}

export const country: Country = {
  code: 'NZ',
  adjectives: ['new zealand'],
  words: 'zealand aotearoa ird realme kiwisaver auckland wellington',
  schemes: [
    {
      scheme: 'nz_ird',
      name: 'IRD number',
      pattern: '8 or 9 digits, bare or 99-999-999 or 999-999-999',
      checksum: 'two rounds of weights, modulo 11',
      labels: { official: ['ird', 'ird number', 'inland revenue'], unsourced: ['ird no'] },
      source: 'Inland Revenue, New Zealand',
      check: isIrd,
      shapes: { keyword: ['9', '8', '3-3-3', '2-3-3', '3 3 3', '7-1'] },
    },
  ],
};
