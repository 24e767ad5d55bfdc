import { numberAt } from '../checksums.ts';
import type { Country } from '../national-id.ts';

function isCccd(v: Uint8Array): boolean {
  const province = numberAt(v, 0, 3);
  return province >= 1 && province <= 96 && (v[3] as number) < 4;
}

export const country: Country = {
  code: 'VN',
  adjectives: ['vietnamese'],
  schemes: [
    {
      scheme: 'vn_cccd',
      name: 'Căn cước công dân',
      pattern: '12 digits: province, sex and century, year, serial',
      checksum: 'none',
      labels: {
        official: ['căn cước', 'căn cước công dân', 'số định danh', 'số định danh cá nhân'],
        unsourced: ['mã định danh cá nhân', 'số đdcn', 'cccd', 'cmnd', 'chứng minh nhân dân'],
      },
      source: 'Nghị định 137/2015/NĐ-CP',
      evidence: 'format',
      check: isCccd,
      shapes: { own: ['12'] },
    },
  ],
};
