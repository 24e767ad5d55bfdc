import { areAllSame, numberAt, weightedSum } from '../checksums.ts';
import type { Country } from '../national-id.ts';

const CUIT_WEIGHTS = [5, 4, 3, 2, 7, 6, 5, 4, 3, 2];

function isCuil(v: Uint8Array): boolean {
  const kind = numberAt(v, 0, 2);
  if (kind !== 20 && kind !== 23 && kind !== 24 && kind !== 27) return false;
  // A number whose check would be 10 is issued with another beginning.
  return (11 - (weightedSum(v, CUIT_WEIGHTS) % 11)) % 11 === v[10];
}

function hasDniForm(v: Uint8Array, length: number): boolean {
  return v[0] !== 0 && !areAllSame(v, 0, length);
}

export const country: Country = {
  code: 'AR',
  adjectives: ['argentine', 'argentinian'],
  words:
    'argentina argentino afip anses arca pami renaper sintys aires rosario mendoza tucumán arba agip monotributo monotributista cbu cvu cuil cuit bcra siradig osde ars',
  schemes: [
    {
      scheme: 'ar_dni',
      name: 'Documento Nacional de Identidad',
      pattern: '7 or 8 digits, bare or 99.999.999',
      checksum: 'none',
      labels: { official: ['dni', 'documento nacional de identidad'], unsourced: ['documento nacional'] },
      source: 'Ley 17.671',
      evidence: 'format',
      check: hasDniForm,
      shapes: { own: ['8', '7', '2.3.3', '1.3.3'] },
    },
    {
      scheme: 'ar_cuil',
      name: 'CUIL / CUIT of a person',
      pattern: '99-99999999-9 or 11 digits, beginning with 20, 23, 24 or 27',
      checksum: 'weights 5 4 3 2 7 6 5 4 3 2, modulo 11',
      labels: {
        official: [
          'cuil',
          'cuit',
          'clave única de identificación tributaria',
          'código único de identificación laboral',
        ],
      },
      source: 'ANSES; AFIP Resolución General 10/1997',
      check: isCuil,
      shapes: { keyword: ['2-8-1', '11', '2 8 1', '2.8.1'] },
    },
  ],
};
