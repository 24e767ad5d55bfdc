import { numberAt } from '../checksums.ts';
import { type Country, SOCIAL_SECURITY_KEYWORDS } from '../national-id.ts';

function isBelgianNationalNumber(v: Uint8Array): boolean {
  const month = numberAt(v, 2, 2);
  // BIS numbers add 20 or 40 to the month. Without a known day of birth their day can be above 31.
  const isBis = month >= 20;
  if (month % 20 > 12 || month > 52 || (numberAt(v, 4, 2) > 31 && !isBis) || numberAt(v, 6, 3) === 0) return false;
  const check = numberAt(v, 9, 2);
  const nine = numberAt(v, 0, 9);
  return check > 0 && (97 - (nine % 97) === check || 97 - ((2_000_000_000 + nine) % 97) === check);
}

export const country: Country = {
  code: 'BE',
  adjectives: ['belgian'],
  words: 'belgië belgique belgium rsz onss riziv inami dimona itsme bruxelles brussel antwerpen',
  schemes: [
    {
      scheme: 'be_nrn',
      name: 'Rijksregisternummer / numéro national',
      pattern: '99.99.99-999.99 or 11 digits: date YYMMDD (month plus 20 or 40 for BIS numbers), serial, check',
      checksum: '97 minus the first nine digits modulo 97, a 2 before them from 2000 on',
      context: 'not needed when dotted; needed for bare digits',
      labels: {
        official: [
          'rijksregister',
          'rijksregisternummer',
          'registre national',
          'numéro de registre national',
          'numéro du registre national',
          'nationalregisternummer',
          'national register number',
          'bisnummer',
          'insz',
        ],
        'python-stdnum': ['nn', 'niss', 'rrn', 'inss', 'ssin'],
        unsourced: [
          'rijksregnr',
          'national registry number',
          'rr-nr',
          'nationaal nr',
          'rijksregisternr',
          'nationaal nummer',
          'numéro national',
          'n° national',
          'nrn',
          'bis number',
          'registernumber',
          'register number',
          'rijksregister nr',
          'numéro de registre',
          'n° de registre national',
          'rr-nummer',
          ...SOCIAL_SECURITY_KEYWORDS,
        ],
      },
      source: 'Koninklijk besluit 3 april 1984; ibz.rrn.fgov.be',
      check: isBelgianNationalNumber,
      shapes: {
        free: [
          '2.2.2-3.2',
          '2.2.2-3-2',
          '2.2.2.3.2',
          '2.2.2 3.2',
          '2 2 2-3.2',
          '6-3-2',
          '6-3.2',
          '2-2-2-3-2',
          '2/2/2-3-2',
          '2/2/2-3.2',
        ],
        keyword: ['2 2 2 3 2', '6 3 2', '11', '9-2', '2/4-5'],
      },
    },
  ],
};
