import { areAllSame } from '../checksums.ts';
import type { Country } from '../national-id.ts';

function isNigerianNin(v: Uint8Array): boolean {
  return v[0] !== 0 && !areAllSame(v, 0, 11);
}

export const country: Country = {
  code: 'NG',
  adjectives: ['nigerian'],
  words: 'nigeria nimc jamb bvn pfa lagos abuja naira ngn',
  schemes: [
    {
      scheme: 'ng_nin',
      name: 'National Identification Number',
      pattern: '11 digits',
      checksum: 'none',
      labels: { 'Microsoft Presidio': ['nin', 'nimc'], unsourced: ['nin number'] },
      ambiguousLabels: { official: ['national identification number'] },
      source: 'National Identity Management Commission',
      evidence: 'format',
      check: isNigerianNin,
      shapes: { own: ['11'] },
    },
  ],
};
