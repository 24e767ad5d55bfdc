import { numberAt, weightedSum } from '../checksums.ts';
import { type Country, SOCIAL_SECURITY_KEYWORDS } from '../national-id.ts';

const AT_WEIGHTS = [3, 7, 9, 0, 5, 8, 4, 2, 1, 6];

function isAustrianSvnr(v: Uint8Array): boolean {
  const month = numberAt(v, 6, 2);
  const day = numberAt(v, 4, 2);
  if (v[0] === 0 || day < 1 || day > 31 || month < 1 || month > 15) return false;
  return weightedSum(v, AT_WEIGHTS) % 11 === v[3];
}

export const country: Country = {
  code: 'AT',
  adjectives: ['austrian'],
  words: 'österreich austria finanzonline elga ögk oegk bvaeb dachverband wien graz linz',
  schemes: [
    {
      scheme: 'at_svnr',
      name: 'Sozialversicherungsnummer',
      pattern: '9999DDMMYY, bare or 9999 DDMMYY',
      checksum: 'weights 3 7 9 5 8 4 2 1 6, modulo 11, at the fourth place',
      labels: {
        official: ['versicherungsnummer', 'sozialversicherungsnummer', 'sozialversicherung'],
        'python-stdnum': ['svnr', 'vsnr'],
        unsourced: [
          'vnr',
          'sozialversnr',
          'sozialversicherungsnr',
          'sozialvers.-nr',
          'sv-nr',
          'sv-nummer',
          'vers.-nr',
          'versnr',
          'vers.-nummer',
          'versicherungsnr',
          'versicherungs-nr',
          'sozialversicherungs-nr',
          ...SOCIAL_SECURITY_KEYWORDS,
        ],
      },
      oids: ['1.2.40.0.10.1.4.3.1'],
      source: 'ASVG § 30c; sozialversicherung.at',
      check: isAustrianSvnr,
      shapes: { keyword: ['10', '4 6', '4-6', '4/6'] },
    },
  ],
};
