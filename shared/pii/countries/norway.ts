import { isValidDate, numberAt, weightedSum } from '../checksums.ts';
import type { Country } from '../national-id.ts';

const NO_FIRST = [3, 7, 6, 1, 8, 9, 4, 5, 2];
const NO_SECOND = [5, 4, 3, 2, 7, 6, 5, 4, 3, 2];

function isFodselsnummer(v: Uint8Array): boolean {
  let day = numberAt(v, 0, 2);
  let month = numberAt(v, 2, 2);
  if (day > 40) day -= 40;
  // Test numbers and auxiliary numbers add 40, 65 or 80 to the month.
  if (month > 80) month -= 80;
  else if (month > 65) month -= 65;
  else if (month > 40) month -= 40;
  if (!isValidDate(numberAt(v, 4, 2), month, day)) return false;
  return (11 - (weightedSum(v, NO_FIRST) % 11)) % 11 === v[9] && (11 - (weightedSum(v, NO_SECOND) % 11)) % 11 === v[10];
}

export const country: Country = {
  code: 'NO',
  adjectives: ['norwegian'],
  words:
    'norge norway norsk norske skatteetaten altinn idporten feide maskinporten folkeregisteret helsenorge helfo digdir vipps oslo bergen',
  schemes: [
    {
      scheme: 'no_fnr',
      name: 'Fødselsnummer / D-nummer',
      pattern: '11 digits, bare or DDMMYY 99999; day plus 40 for D numbers, month plus 40, 65 or 80',
      checksum: 'two check digits, weights 3 7 6 1 8 9 4 5 2 and 5 4 3 2 7 6 5 4 3 2, modulo 11',
      labels: {
        official: [
          'fødselsnummer',
          'fødselsnummeret',
          'fødselsnumre',
          'd-nummer',
          'd-nummeret',
          'birth number',
          'national identity number',
        ],
        norEduPerson: ['noredupersonnin'],
        'BankID (BankAxept)': ['nnin', 'nnin_altsub'],
        'Vipps MobilePay': ['nin'],
        unsourced: [
          'norsk ident',
          'id-porten pid',
          'norsk identifikator',
          'personident',
          'folkeregisterident',
          'folkeregisteridentifikator',
          'nasjonalt id',
          'foedselsnummer',
          'fnr',
          'fødselsnr',
          'f.nr',
          'personnummer',
          'personnummeret',
          'personnr',
          'd number',
          'dnr',
        ],
      },
      oids: ['2.16.578.1.12.4.1.4.1', '2.16.578.1.12.4.1.4.2', '1.3.6.1.4.1.2428.90.1.5'],
      source: 'Folkeregisterforskriften; Skatteetaten',
      check: isFodselsnummer,
      shapes: {
        keyword: ['11', '6 5', '6-5', '9-2', '2 2 2 5', '2-2-2-5', '2 2 2 3 2', '2 2 2 2 3', '6 3 2', '2.2.2 5'],
      },
    },
  ],
};
