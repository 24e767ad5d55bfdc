import { areAllSame, weightedSum } from '../checksums.ts';
import type { Country } from '../national-id.ts';

const UY_WEIGHTS = [2, 9, 8, 7, 6, 3, 4];

function isUruguayanCedula(v: Uint8Array, length: number): boolean {
  const weights = UY_WEIGHTS.slice(8 - length);
  return (10 - (weightedSum(v, weights) % 10)) % 10 === v[length - 1] && !areAllSame(v, 0, length);
}

export const country: Country = {
  code: 'UY',
  adjectives: ['uruguayan'],
  words:
    'uruguay uruguayo uruguaya montevideo canelones bps agesic dnic asse fonasa antel brou abitab redpagos ceibal uyu',
  schemes: [
    {
      scheme: 'uy_ci',
      name: 'Cédula de identidad',
      pattern: '9.999.999-9 or 7 to 8 digits',
      checksum: 'weights 2 9 8 7 6 3 4, modulo 10',
      labels: { official: ['cédula', 'cédula de identidad'], unsourced: ['c.i.'] },
      ambiguousLabels: { unsourced: ['ci', 'ci n°', 'ci no'] },
      source: 'Dirección Nacional de Identificación Civil',
      check: isUruguayanCedula,
      shapes: { keyword: ['1.3.3-1', '7-1'], own: ['8'] },
    },
  ],
};
