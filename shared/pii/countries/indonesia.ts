import { isValidDate, numberAt } from '../checksums.ts';
import type { Country } from '../national-id.ts';

function isNik(v: Uint8Array): boolean {
  const day = numberAt(v, 6, 2);
  const province = numberAt(v, 0, 2);
  return (
    province >= 11 && province <= 96 && isValidDate(numberAt(v, 10, 2), numberAt(v, 8, 2), day > 40 ? day - 40 : day)
  );
}

export const country: Country = {
  code: 'ID',
  adjectives: ['indonesian'],
  schemes: [
    {
      scheme: 'id_nik',
      name: 'Nomor Induk Kependudukan',
      pattern: '16 digits: province, district, DDMMYY (day plus 40 for women), serial',
      checksum: 'none; the province and the date must exist',
      labels: {
        official: ['nik', 'nomor induk kependudukan', 'induk kependudukan'],
        unsourced: ['npwp16', 'nomor induk', 'ktp', 'no. ktp', 'nomor ktp', 'e-ktp', 'npwp'],
      },
      source: 'Undang-Undang 24/2013',
      evidence: 'format',
      check: isNik,
      shapes: { keyword: ['16', '6 6 4', '4 4 4 4', '6-6-4'] },
    },
  ],
};
