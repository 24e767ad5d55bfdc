import type { Country } from '../national-id.ts';
import { isBalticPersonalCode } from './estonia.ts';

export const country: Country = {
  code: 'LT',
  adjectives: ['lithuanian'],
  schemes: [
    {
      scheme: 'lt_ak',
      name: 'Asmens kodas',
      pattern: '11 digits: sex and century, YYMMDD, serial, check digit',
      checksum: 'two rounds of weights, modulo 11',
      keywords: ['asmens kodas', 'asmens kodo', 'asmens kodą', 'asmens kod', 'asmenskodas', 'personal code'],
      source: 'Lietuvos Respublikos gyventojų registro įstatymas',
      check: isBalticPersonalCode,
      shapes: { keyword: ['11'] },
    },
  ],
};
