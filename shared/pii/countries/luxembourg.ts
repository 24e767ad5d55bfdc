import { isValidDate, numberAt, passesLuhn, passesVerhoeff } from '../checksums.ts';
import { type Country, SOCIAL_SECURITY_KEYWORDS } from '../national-id.ts';

function isLuxembourgMatricule(v: Uint8Array): boolean {
  const year = numberAt(v, 0, 4);
  if (year < 1880 || year > 2100 || !isValidDate(year, numberAt(v, 4, 2), numberAt(v, 6, 2))) return false;
  if (!passesLuhn(v, 0, 12)) return false;
  const verhoeff = new Uint8Array(12);
  verhoeff.set(v.subarray(0, 11));
  verhoeff[11] = v[12] as number;
  return passesVerhoeff(verhoeff, 12);
}

export const country: Country = {
  code: 'LU',
  adjectives: ['luxembourg', 'luxembourgish'],
  words: 'luxembourg lëtzebuerg ccss guichet luxtrust',
  schemes: [
    {
      scheme: 'lu_nin',
      name: 'Numéro d’identification national (matricule)',
      pattern: '13 digits: YYYYMMDD, serial, two check digits',
      checksum: 'Luhn and Verhoeff over the first eleven digits',
      labels: {
        official: [
          'matricule',
          "numéro d'identification",
          "numéro d'identification national",
          'identification nationale',
        ],
        unsourced: [
          "n° d'identification",
          'numéro identification national',
          'identifiant national',
          'cns',
          ...SOCIAL_SECURITY_KEYWORDS,
        ],
      },
      source: 'Loi du 19 juin 2013; guichet.lu',
      check: isLuxembourgMatricule,
      shapes: { keyword: ['13', '8 5', '8-5', '4 2 2 5', '4 4 5'] },
    },
  ],
};
