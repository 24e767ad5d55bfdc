import { areAllSame, weightedSum } from '../checksums.ts';
import { type Country, TAX_NUMBER_KEYWORDS } from '../national-id.ts';

const HU_TAX_WEIGHTS = [1, 2, 3, 4, 5, 6, 7, 8, 9];

function isHungarianTaxId(v: Uint8Array): boolean {
  return v[0] === 8 && weightedSum(v, HU_TAX_WEIGHTS) % 11 === v[9];
}

function isTaj(v: Uint8Array): boolean {
  let sum = 0;
  for (let i = 0; i < 8; i++) sum += (v[i] as number) * (i % 2 === 0 ? 3 : 7);
  return sum % 10 === v[8] && !areAllSame(v, 0, 9);
}

export const country: Country = {
  code: 'HU',
  adjectives: ['hungarian'],
  words: 'magyarország hungary magyar neak eeszt ügyfélkapu budapest',
  schemes: [
    {
      scheme: 'hu_tax_id',
      name: 'Adóazonosító jel',
      pattern: '10 digits beginning with 8',
      checksum: 'weights 1 to 9, modulo 11',
      labels: {
        official: [
          'adóazonosító',
          'adóazonosító jel',
          'adóazonosító jele',
          'adóazonosító jelet',
          'adóazonosító jelét',
          'adóazonosító jellel',
          'adóazonosító jelű',
        ],
        'Microsoft Purview': ['adószám', 'adóazonosító szám'],
        unsourced: [
          'adóaz.',
          'adóazonosítója',
          'adóazonosítóm',
          'adóazonosító jelem',
          'adószáma',
          'adóaz. jel',
          ...TAX_NUMBER_KEYWORDS,
        ],
      },
      source: '2017. évi CL. törvény 1. melléklet',
      check: isHungarianTaxId,
      shapes: { keyword: ['10'] },
    },
    {
      scheme: 'hu_taj',
      name: 'TAJ-szám',
      pattern: '9 digits, bare or 999 999 999 or 999-999-999',
      checksum: 'weights 3 and 7, modulo 10',
      labels: {
        official: ['társadalombiztosítási azonosító jel', 'társadalombiztosítási azonosító jele'],
        'Microsoft Purview': ['taj'],
        unsourced: [
          'társadalombiztosítási azonosító',
          'taj-számom',
          'taj sz.',
          'taj-szám',
          'taj-száma',
          'taj-számot',
          'taj-számát',
          'taj-számmal',
          'taj-számú',
        ],
      },
      source: '1996. évi XX. törvény',
      check: isTaj,
      shapes: { keyword: ['9', '3 3 3', '3-3-3'] },
    },
  ],
};
