import { areAllDigits, areAllSame, numberAt, valuesOf, weightedSum } from '../checksums.ts';
import type { Country } from '../national-id.ts';

const PE_WEIGHTS = [3, 2, 7, 6, 5, 4, 3, 2];

/** The check character is a digit or a letter, by the remainder modulo 11. */
const PE_DIGITS = valuesOf('65432110987');
const PE_LETTERS = valuesOf('KJIHGFEDCBA');

function isPeruvianDni(v: Uint8Array, length: number): boolean {
  if (!areAllDigits(v, 0, 8) || areAllSame(v, 0, 8)) return false;
  if (length === 8) return true;
  const rest = weightedSum(v, PE_WEIGHTS) % 11;
  return PE_DIGITS[rest] === v[8] || PE_LETTERS[rest] === v[8];
}

const RUC_WEIGHTS = [5, 4, 3, 2, 7, 6, 5, 4, 3, 2];
/** A RUC of a person begins with 10 and the DNI; those of companies begin with 20. */
const RUC_OF_PERSON = 10;

function isRucOfPerson(v: Uint8Array): boolean {
  return numberAt(v, 0, 2) === RUC_OF_PERSON && (11 - (weightedSum(v, RUC_WEIGHTS) % 11)) % 10 === v[10];
}

export const country: Country = {
  code: 'PE',
  adjectives: ['peruvian', 'peru'],
  words:
    'perú peruano peruana sunat reniec onpe plame sunarp susalud essalud sunafil minsa mtpe osce seace indecopi osinergmin ubigeo afp lima callao arequipa cusco piura huancayo yape soles pen',
  schemes: [
    {
      scheme: 'pe_dni',
      name: 'Documento Nacional de Identidad',
      pattern: '8 digits, or 99999999-X',
      checksum: 'none',
      labels: {
        official: ['reniec', 'dni', 'documento nacional de identidad'],
        unsourced: ['dni peruano', 'dni perú', 'perú dni', 'peruvian dni', 'documento nacional de identidad perú'],
      },
      source: 'Ley 26497, RENIEC',
      evidence: 'format',
      check: isPeruvianDni,
      shapes: { own: ['8', '9', '8-1', '8-1a'] },
    },
    {
      scheme: 'pe_ruc',
      name: 'RUC of a person',
      pattern: '11 digits, beginning with 10, or 10-99999999-9',
      checksum: 'weights 5 4 3 2 7 6 5 4 3 2, modulo 11',
      labels: { official: ['ruc', 'registro único de contribuyentes'], unsourced: ['ruc n°', 'nro ruc', 'ruc nro'] },
      source: 'Decreto Legislativo 943, SUNAT',
      check: isRucOfPerson,
      shapes: { keyword: ['2-8-1'], own: ['11'] },
    },
  ],
};
