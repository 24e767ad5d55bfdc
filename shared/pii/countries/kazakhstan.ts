import { isYearMonthDay, weightedSum } from '../checksums.ts';
import type { Country } from '../national-id.ts';

const KZ_FIRST = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];
const KZ_SECOND = [3, 4, 5, 6, 7, 8, 9, 10, 11, 1, 2];

function isIin(v: Uint8Array): boolean {
  const century = v[6] as number;
  if (century > 6 || !isYearMonthDay(v, 0)) return false;
  let check = weightedSum(v, KZ_FIRST) % 11;
  if (check === 10) check = weightedSum(v, KZ_SECOND) % 11;
  return check === v[11];
}

export const country: Country = {
  code: 'KZ',
  adjectives: ['kazakh'],
  schemes: [
    {
      scheme: 'kz_iin',
      name: 'ЖСН / ИИН (IIN)',
      pattern: '12 digits: YYMMDD, sex and century, serial, check digit',
      checksum: 'two rounds of weights, modulo 11',
      labels: {
        official: [
          'иин',
          'индивидуальный идентификационный номер',
          'индивидуального идентификационного номера',
          'индивидуальным идентификационным номером',
          'жсн',
          'жеке сәйкестендіру нөмірі',
          'жеке сәйкестендіру нөмірін',
        ],
        unsourced: ['иины', 'жсні', 'iin', 'individual identification number'],
      },
      source: 'Закон РК № 223-III',
      check: isIin,
      shapes: { keyword: ['12'] },
    },
  ],
};
