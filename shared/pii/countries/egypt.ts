import { isYearMonthDay, numberAt } from '../checksums.ts';
import type { Country } from '../national-id.ts';

function isEgyptianId(v: Uint8Array): boolean {
  const century = v[0];
  const governorate = numberAt(v, 7, 2);
  if ((century !== 2 && century !== 3) || governorate === 0 || (governorate > 35 && governorate !== 88)) return false;
  return isYearMonthDay(v, 1);
}

export const country: Country = {
  code: 'EG',
  adjectives: ['egyptian'],
  schemes: [
    {
      scheme: 'eg_nid',
      name: 'National ID',
      pattern: '14 digits: century 2 or 3, YYMMDD, governorate, serial',
      checksum: 'none; the date must exist',
      labels: {
        unsourced: [
          'الرقم القومي',
          'رقم قومي',
          'رقمه القومي',
          'رقمها القومي',
          'رقم البطاقة القومية',
          'البطاقة القومية',
          'بطاقة الرقم القومي',
          'رقم الهوية القومية',
          'egyptian id',
          'egypt id',
          'رقمي القومي',
          'رقمك القومي',
          'الرقم القومي الخاص',
          'raqam qawmi',
          'raqm qawmi',
          'raqm qawmy',
          'raqam qawmy',
          'rakam kawmy',
          'raqm al qawmi',
          'raqam al qawmi',
          'al raqm al qawmi',
        ],
      },
      source: 'Civil Status Organization',
      evidence: 'format',
      check: isEgyptianId,
      shapes: { keyword: ['14'] },
    },
  ],
};
