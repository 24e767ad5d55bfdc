import { areAllSame, numberAt, weightedSum } from '../checksums.ts';
import type { Country } from '../national-id.ts';

const SNILS_WEIGHTS = [9, 8, 7, 6, 5, 4, 3, 2, 1];
const INN_FIRST = [7, 2, 4, 10, 3, 5, 9, 4, 6, 8];
const INN_SECOND = [3, 7, 2, 4, 10, 3, 5, 9, 4, 6, 8];

function isSnils(v: Uint8Array): boolean {
  if (numberAt(v, 0, 9) <= 1001998) return false;
  return (weightedSum(v, SNILS_WEIGHTS) % 101) % 100 === numberAt(v, 9, 2);
}

function isPersonInn(v: Uint8Array): boolean {
  return (
    (weightedSum(v, INN_FIRST) % 11) % 10 === v[10] &&
    (weightedSum(v, INN_SECOND) % 11) % 10 === v[11] &&
    !areAllSame(v, 0, 12)
  );
}

export const country: Country = {
  code: 'RU',
  adjectives: ['russian'],
  schemes: [
    {
      scheme: 'ru_snils',
      name: 'СНИЛС (SNILS)',
      pattern: '999-999-999 99 or 11 digits',
      checksum: 'weights 9 to 1, modulo 101',
      context: 'not needed for 999-999-999 99; needed otherwise',
      labels: {
        official: [
          'страховой номер',
          'страхового номера',
          'страховым номером',
          'страховой номер индивидуального лицевого счёта',
          'страхового номера индивидуального лицевого счёта',
          'снилс',
        ],
        unsourced: ['снилса', 'снилсу', 'снилсом', 'снилсе', 'snils', 'пенсионное'],
      },
      source: 'Федеральный закон № 27-ФЗ',
      check: isSnils,
      shapes: { free: ['3-3-3 2'], keyword: ['3-3-3-2', '11', '3 3 3 2'] },
    },
    {
      scheme: 'ru_inn',
      name: 'ИНН (INN) of a person',
      pattern: '12 digits',
      checksum: 'weights, modulo 11, two check digits',
      labels: {
        official: [
          'инн',
          'идентификационный номер налогоплательщика',
          'идентификационного номера налогоплательщика',
          'идентификационным номером налогоплательщика',
          'налогоплательщика',
        ],
        unsourced: ['иннфл', 'инн фл', 'inn'],
      },
      source: 'Приказ ФНС России № ЕД-7-14/559@',
      check: isPersonInn,
      shapes: { keyword: ['12'] },
    },
  ],
};
