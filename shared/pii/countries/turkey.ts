import type { Country } from '../national-id.ts';

function isKimlik(v: Uint8Array): boolean {
  if (v[0] === 0) return false;
  let [odd, even] = [0, 0];
  for (let i = 0; i < 9; i += 2) odd += v[i] as number;
  for (let i = 1; i < 8; i += 2) even += v[i] as number;
  const tenth = (((odd * 7 - even) % 10) + 10) % 10;
  return tenth === v[9] && (odd + even + tenth) % 10 === v[10];
}

export const country: Country = {
  code: 'TR',
  adjectives: ['turkish'],
  words: 'türkiye turkiye turkey türk mernis iyzico istanbul ankara izmir',
  schemes: [
    {
      scheme: 'tr_tckn',
      name: 'T.C. kimlik numarası',
      pattern: '11 digits, the first not 0',
      checksum: 'two check digits, modulo 10',
      labels: {
        'Microsoft Purview': [
          'tc kimlik no',
          'tc kimlik numarası',
          'vatandaşlık',
          'vatandaşlık no',
          'vatandaşlık numarası',
        ],
        'Microsoft Presidio': ['tckn', 'tc no', 'kimlik no', 'kimlik numarası', 'nüfus cüzdanı'],
        unsourced: ['tck no', 'kimlik numaram', 'kimlik numaranız', 'tc', 'tcno', 'kimlik', 'tc kimlik'],
      },
      source: 'Nüfus Hizmetleri Kanunu',
      check: isKimlik,
      shapes: { keyword: ['11', '3 3 3 2'] },
    },
  ],
};
