import { areAllSame } from '../checksums.ts';
import type { Country } from '../national-id.ts';

function isCpf(v: Uint8Array): boolean {
  if (areAllSame(v, 0, 11)) return false;
  for (let length = 9; length < 11; length++) {
    let sum = 0;
    for (let i = 0; i < length; i++) sum += (v[i] as number) * (length + 1 - i);
    if (((sum * 10) % 11) % 10 !== v[length]) return false;
  }
  return true;
}

export const country: Country = {
  code: 'BR',
  adjectives: ['brazilian'],
  words: 'brasil brazil brasileiro brasileira receita serpro detran esocial sus bradesco itaú pix',
  schemes: [
    {
      scheme: 'br_cpf',
      name: 'CPF',
      pattern: '999.999.999-99 or 11 digits (also 999999999-99)',
      checksum: 'two check digits, modulo 11',
      context: 'not needed when dotted; needed otherwise',
      labels: {
        official: ['cpf', 'cadastro de pessoas físicas', 'cadastro de pessoa física'],
        unsourced: ['contribuinte', 'cgc', 'cic'],
      },
      oids: ['2.16.840.1.113883.13.237'],
      source: 'Instrução Normativa RFB 2172/2024',
      check: isCpf,
      shapes: { free: ['3.3.3-2'], keyword: ['11', '9-2', '3 3 3 2', '3.3.3.2', '3-3-3-2', '3 3 3-2', '3.3.3/2'] },
    },
  ],
};
