import { isDayMonthYear, passesLuhn } from '../checksums.ts';
import { type Country, SOCIAL_SECURITY_KEYWORDS } from '../national-id.ts';

function isAmka(v: Uint8Array): boolean {
  return isDayMonthYear(v, 0) && passesLuhn(v, 0, 11);
}

export const country: Country = {
  code: 'GR',
  adjectives: ['greek'],
  words: 'ελλάδα greece efka εφκα taxisnet aade ααδε gsis ηδικα athens αθήνα',
  schemes: [
    {
      scheme: 'gr_amka',
      name: 'AMKA',
      pattern: '11 digits: DDMMYY, serial, check digit',
      checksum: 'Luhn',
      labels: {
        official: ['αμκα', 'amka'],
        'python-stdnum': [
          'αριθμός μητρώου κοινωνικής ασφάλισης',
          'αριθμού μητρώου κοινωνικής ασφάλισης',
          'αριθμό μητρώου κοινωνικής ασφάλισης',
        ],
        unsourced: [...SOCIAL_SECURITY_KEYWORDS],
      },
      source: 'amka.gr',
      check: isAmka,
      shapes: { keyword: ['11', '6-5', '6 5'] },
    },
  ],
};
