import { areAllSame } from '../checksums.ts';
import type { Country } from '../national-id.ts';

/** Since 2000, the numbers have ten digits. They begin with 1. */
const LENGTH_SINCE_2000 = 10;

function isCedula(v: Uint8Array, length: number): boolean {
  if (length === LENGTH_SINCE_2000) return v[0] === 1 && !areAllSame(v, 1, length - 1);
  return v[0] !== 0 && !areAllSame(v, 0, length);
}

export const country: Country = {
  code: 'CO',
  adjectives: ['colombian'],
  words:
    'colombia colombiano colombiana dian registraduría pse eps sisben adres colpensiones porvenir colfondos bancolombia davivienda daviplata nequi runt simit icetex icfes bogotá medellín cali barranquilla efecty cop',
  schemes: [
    {
      scheme: 'co_cc',
      name: 'Cédula de ciudadanía',
      pattern: '7 to 10 digits, bare or 9.999.999.999',
      checksum: 'none; ten digits begin with 1',
      labels: {
        official: ['cédula de ciudadanía', 'nuip'],
        unsourced: [
          'tipo documento cc',
          'tipo doc cc',
          'tipo identificación cc',
          'tipo de documento cc',
          'tipo de identificación cc',
          'tipo id cc',
          'cc bancolombia',
          'cédula',
          'cédula ciudadanía',
          'c.c.',
        ],
      },
      ambiguousLabels: { unsourced: ['cc', 'cc no', 'cc n°', 'cc nro', 'cc num'] },
      source: 'Registraduría Nacional del Estado Civil',
      evidence: 'format',
      check: isCedula,
      shapes: { own: ['7', '8', '10', '1.3.3.3', '2.3.3', '1.3.3'] },
    },
  ],
};
