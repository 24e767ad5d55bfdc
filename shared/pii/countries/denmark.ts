import { isValidDate, numberAt } from '../checksums.ts';
import type { Country } from '../national-id.ts';

function isCpr(v: Uint8Array): boolean {
  return isValidDate(numberAt(v, 4, 2), numberAt(v, 2, 2), numberAt(v, 0, 2));
}

export const DENMARK: Country = {
  code: 'DK',
  adjectives: ['danish'],
  schemes: [
    {
      scheme: 'dk_cpr',
      name: 'CPR-nummer',
      pattern: 'DDMMYY-9999, DDMMYY 9999 or 10 digits',
      checksum: 'none (discontinued in 2007); the date must exist',
      context: 'always needed',
      keywords: [
        'cpr',
        'cpr nr',
        'cprnr',
        'cpr nummer',
        'cprnummer',
        'cpr number',
        'civil registration number',
        'personnummer',
        'person nummer',
      ],
      source: 'CPR-kontoret: personnumre uden kontrolciffer (modulus 11)',
      evidence: 'format',
      check: isCpr,
      shapes: { '6-4': 'keyword', '6 4': 'keyword', '10': 'keyword', '2-2-2-4': 'keyword' },
    },
  ],
};
