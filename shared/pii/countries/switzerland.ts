import { type Country, SOCIAL_SECURITY_KEYWORDS } from '../national-id.ts';

/** EAN-13 with the Swiss country prefix 756. */
function isAhv(v: Uint8Array): boolean {
  if (v[0] !== 7 || v[1] !== 5 || v[2] !== 6) return false;
  let sum = 0;
  for (let i = 0; i < 13; i++) sum += (v[i] as number) * (i % 2 === 0 ? 1 : 3);
  return sum % 10 === 0;
}

export const country: Country = {
  code: 'CH',
  adjectives: ['swiss'],
  words: 'schweiz suisse svizzera switzerland zas suva zürich bern genève basel lausanne',
  schemes: [
    {
      scheme: 'ch_ahv',
      name: 'AHV/AVS number',
      pattern: '756.9999.9999.99 or 13 digits beginning with 756',
      checksum: 'EAN-13',
      context: 'not needed when dotted; needed for bare digits',
      labels: {
        official: ['ahv', 'ahv-nr', 'ahv-nummer', 'ahvn13', 'ahvvn', 'avs', 'numéro avs', 'navs', 'navs13', 'oasi'],
        'python-stdnum': ['sozialversicherungsnummer', 'versichertennummer'],
        unsourced: ['avs number', 'avs13', 'ahv13', 'n° avs', ...SOCIAL_SECURITY_KEYWORDS],
      },
      ambiguousLabels: { 'eCH-0044': ['vn'] },
      oids: ['2.16.756.5.32'],
      source: 'Bundesamt für Sozialversicherungen, AHV-Nummer',
      check: isAhv,
      shapes: { free: ['3.4.4.2', '3 4 4 2', '3-4-4-2'], keyword: ['13', '11 2'] },
    },
  ],
};
