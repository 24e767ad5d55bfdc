import { numberAt, passesLuhn } from '../checksums.ts';
import type { Country } from '../national-id.ts';

function isEcuadorianCedula(v: Uint8Array): boolean {
  const province = numberAt(v, 0, 2);
  return ((province > 0 && province < 25) || province === 30) && (v[2] as number) < 6 && passesLuhn(v, 0, 10);
}

export const country: Country = {
  code: 'EC',
  adjectives: ['ecuadorian'],
  words:
    'ecuador ecuatoriano ecuatoriana sri iess biess senescyt supercias dinardap sercop produbanco pichincha quito guayaquil guayas',
  schemes: [
    {
      scheme: 'ec_ci',
      name: 'Cédula de identidad',
      pattern: '10 digits: province 01 to 24 or 30, third digit 0 to 5; also 999999999-9',
      checksum: 'Luhn',
      labels: { official: ['cédula', 'cédula de identidad'], unsourced: ['c.i.', 'cédula ec'] },
      ambiguousLabels: { 'python-stdnum': ['ci'], unsourced: ['ci n°', 'ci no'] },
      source: 'Registro Civil del Ecuador',
      check: isEcuadorianCedula,
      shapes: { keyword: ['10', '9-1'] },
    },
  ],
};
