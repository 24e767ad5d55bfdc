import { areAllSame, passesMod1110 } from '../checksums.ts';
import { type Country, TAX_NUMBER_KEYWORDS } from '../national-id.ts';

function isOib(v: Uint8Array): boolean {
  return passesMod1110(v, 11) && !areAllSame(v, 0, 11);
}

export const country: Country = {
  code: 'HR',
  adjectives: ['croatian'],
  words: 'hrvatska croatia porezna fina hzzo hzmo zagreb',
  schemes: [
    {
      scheme: 'hr_oib',
      name: 'Osobni identifikacijski broj',
      pattern: '11 digits',
      checksum: 'ISO/IEC 7064 MOD 11,10',
      labels: {
        official: [
          'oib',
          'oiba',
          'oibom',
          'osobni identifikacijski broj',
          'osobnog identifikacijskog broja',
          'osobnom identifikacijskom broju',
          'osobnim identifikacijskim brojem',
        ],
        unsourced: ['oib broj', 'broj oib', 'oib osobe', ...TAX_NUMBER_KEYWORDS],
      },
      source: 'Zakon o osobnom identifikacijskom broju',
      check: isOib,
      shapes: { keyword: ['11'] },
    },
  ],
};
