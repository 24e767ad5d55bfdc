import { isValidDate, numberAt, weightedSum } from '../checksums.ts';
import type { Country } from '../national-id.ts';

const PESEL_WEIGHTS = [1, 3, 7, 9, 1, 3, 7, 9, 1, 3];

function isPesel(v: Uint8Array): boolean {
  // A multiple of 20 in the month is the offset of the century. Nobody is born after 2099 yet.
  const month = numberAt(v, 2, 2);
  if ((month > 40 && month < 80) || !isValidDate(numberAt(v, 0, 2), month % 20, numberAt(v, 4, 2))) return false;
  return (10 - (weightedSum(v, PESEL_WEIGHTS) % 10)) % 10 === v[10];
}

export const country: Country = {
  code: 'PL',
  adjectives: ['polish'],
  schemes: [
    {
      scheme: 'pl_pesel',
      name: 'PESEL',
      pattern: '11 digits: YYMMDD (month plus 20 or 80 for the century), serial, check digit',
      checksum: 'weights 1 3 7 9, modulo 10',
      labels: {
        official: [
          'pesel',
          'numer pesel',
          'numeru pesel',
          'numerowi pesel',
          'numerem pesel',
          'numerze pesel',
          'peselu',
          'peselowi',
          'peselem',
        ],
        'Microsoft Purview': ['nr pesel'],
        unsourced: ['pesele', 'pesel nr'],
      },
      oids: ['2.16.840.1.113883.3.4424.1.1.616'],
      source: 'Ustawa o ewidencji ludności, art. 15; gov.pl',
      check: isPesel,
      shapes: { keyword: ['11', '6 5', '6-5'] },
    },
  ],
};
