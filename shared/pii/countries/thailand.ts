import { areAllSame } from '../checksums.ts';
import type { Country } from '../national-id.ts';

function isThaiPin(v: Uint8Array): boolean {
  let sum = 0;
  for (let i = 0; i < 12; i++) sum += (v[i] as number) * (13 - i);
  return v[0] !== 0 && v[0] !== 9 && (11 - (sum % 11)) % 10 === v[12] && !areAllSame(v, 0, 13);
}

export const country: Country = {
  code: 'TH',
  adjectives: ['thai'],
  schemes: [
    {
      scheme: 'th_pin',
      name: 'Population identification code',
      pattern: '9-9999-99999-99-9 or 13 digits',
      checksum: 'weights 13 to 2, modulo 11',
      context: 'not needed with hyphens; needed otherwise',
      labels: {
        'Microsoft Presidio': ['เลขประจำตัวประชาชน', 'เลขบัตรประชาชน', 'รหัสปชช', 'tnin', 'thai national id'],
        'Microsoft Purview': ['บัตรประชาชน', 'รหัสบัตรประชาชน'],
        unsourced: [
          'รหัสประจำตัวประชาชน',
          'ปชช.',
          'เลขประจำตัว 13 หลัก',
          'เลข 13 หลัก',
          'หมายเลขประจำตัวประชาชน',
          'บัตรประจำตัวประชาชน',
          'เลขประจำตัวผู้เสียภาษี',
          'เลขที่ประจำตัวผู้เสียภาษี',
          'หมายเลขผู้เสียภาษี',
          'เลขผู้เสียภาษี',
          'เลขที่บัตรประชาชน',
          'หมายเลขบัตรประชาชน',
          'เลขบัตรประจำตัว',
          'thai id',
          'population identification code',
          'population id',
          'pop id',
        ],
      },
      source: 'Department of Provincial Administration',
      check: isThaiPin,
      shapes: { free: ['1-4-5-2-1', '1 4 5 2 1'], keyword: ['13'] },
    },
  ],
};
