import { areAllDigits } from '../checksums.ts';
import { type Country, TAX_NUMBER_KEYWORDS } from '../national-id.ts';

function isPortugueseNif(v: Uint8Array): boolean {
  let sum = 0;
  for (let i = 0; i < 8; i++) sum += (v[i] as number) * (9 - i);
  const check = 11 - (sum % 11);
  return isPersonal(v) && (check > 9 ? 0 : check) === v[8];
}

/**
 * Whether the first digits are those of a person: 1 to 3, 45 for residents abroad, and 8 for sole
 * traders. Others are those of companies (5), of the state (6) and of estates and funds (7, 9).
 */
function isPersonal(v: Uint8Array): boolean {
  const first = v[0] as number;
  return (first >= 1 && first <= 3) || first === 8 || (first === 4 && v[1] === 5);
}

function isCartaoDeCidadao(v: Uint8Array, length: number): boolean {
  if (length !== 12 || !areAllDigits(v, 0, 9) || (v[11] as number) > 9) return false;
  let sum = 0;
  for (let i = 0; i < 12; i++) {
    let value = v[i] as number;
    if (i % 2 === 0) {
      value *= 2;
      if (value > 9) value -= 9;
    }
    sum += value;
  }
  return sum % 10 === 0;
}

export const country: Country = {
  code: 'PT',
  adjectives: ['portuguese'],
  words: 'portugal português portuguesa finanças segsocial multibanco mbway efatura utente lisboa coimbra braga',
  schemes: [
    {
      scheme: 'pt_nif',
      name: 'Número de identificação fiscal',
      pattern: '9 digits, bare or 999 999 999, beginning with 1, 2, 3, 45 or 8',
      checksum: 'weights 9 to 2, modulo 11',
      labels: {
        official: ['nif', 'número de identificação fiscal', 'identificação fiscal'],
        unsourced: [
          'contribuinte',
          'nº fiscal',
          'número fiscal',
          'número contribuinte',
          'número de contribuinte',
          ...TAX_NUMBER_KEYWORDS,
        ],
      },
      source: 'Decreto-Lei 14/2013',
      check: isPortugueseNif,
      shapes: { keyword: ['9', '3 3 3', '3-3-3', '3.3.3'] },
    },
    {
      scheme: 'pt_cc',
      name: 'Cartão de Cidadão',
      pattern: '99999999 9 AA9 or bare',
      checksum: 'Luhn over letters and digits',
      labels: {
        official: ['cartão de cidadão', 'cc'],
        unsourced: [
          'cartão do cidadão',
          'cartão cidadão',
          'bilhete de identidade',
          'documento de identificação',
          'citizen card',
        ],
      },
      source: 'Portaria 203/2007; Autenticação.gov',
      check: isCartaoDeCidadao,
      shapes: { keyword: ['12x', '8 1 3x', '8 1 4x', '8-1-3x', '8-1-4x', '8 4x', '8 1 2a 1'] },
    },
  ],
};
