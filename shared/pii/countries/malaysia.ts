import { isYearMonthDay, numberAt } from '../checksums.ts';
import type { Country } from '../national-id.ts';

function isMyKad(v: Uint8Array): boolean {
  const place = numberAt(v, 6, 2);
  if (!isYearMonthDay(v, 0)) return false;
  if (place === 0 || (place > 16 && place < 21) || place === 69 || place === 70 || place === 73) return false;
  return place !== 80 && place !== 81 && (place < 94 || place > 97);
}

export const country: Country = {
  code: 'MY',
  adjectives: ['malaysian'],
  words:
    'malaysia jpn lhdn hasil kwsp perkeso socso epf mysejahtera maybank cimb kuala lumpur selangor johor penang myr',
  schemes: [
    {
      scheme: 'my_nric',
      name: 'MyKad (NRIC)',
      pattern: 'YYMMDD-99-9999 or 12 digits; place code 01 to 59, 60 to 68, 71, 72, 74 to 79, 82 to 93, 98, 99',
      checksum: 'none; the date and the place must exist',
      labels: {
        official: ['mykad', 'kad pengenalan'],
        'Microsoft Purview': ['nric', 'ic', 'ic no', 'kp no', 'identity card'],
        unsourced: ['nokp', 'kp no.', 'ic number', 'no. ic', 'no. kp', 'no. k/p', 'my kad'],
      },
      source: 'Jabatan Pendaftaran Negara Malaysia',
      evidence: 'format',
      check: isMyKad,
      shapes: { keyword: ['6-2-4', '12', '6 2 4'] },
    },
  ],
};
