import { numberAt } from '../checksums.ts';
import type { Country } from '../national-id.ts';

function isEmiratesId(v: Uint8Array): boolean {
  const year = numberAt(v, 3, 4);
  return numberAt(v, 0, 3) === 784 && year >= 1900 && year <= 2035;
}

export const country: Country = {
  code: 'AE',
  adjectives: ['uae', 'emirati'],
  schemes: [
    {
      scheme: 'ae_eid',
      name: 'Emirates ID',
      pattern: '784-YYYY-9999999-9 or 15 digits beginning with 784',
      checksum: 'none; the prefix and the year',
      context: 'not needed with hyphens; needed for bare digits',
      labels: {
        'Microsoft Purview': ['emirates id', 'رقم الهوية'],
        unsourced: ['رقم هويتي', 'هويتي', 'eida', 'هوية', 'الهوية', 'eid', 'idn', 'uae id'],
      },
      source: 'Federal Authority for Identity and Citizenship',
      evidence: 'format',
      check: isEmiratesId,
      shapes: { free: ['3-4-7-1', '3 4 7 1'], keyword: ['15'] },
    },
  ],
};
