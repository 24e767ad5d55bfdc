import type { Country } from '../national-id.ts';
import { isRodneCislo } from './czechia.ts';

export const country: Country = {
  code: 'SK',
  adjectives: ['slovak'],
  words: 'slovensko slovakia bratislava košice',
  schemes: [
    {
      scheme: 'sk_rc',
      name: 'Rodné číslo',
      pattern: 'as the Czech number',
      checksum: 'divisible by 11 (ten digits)',
      context: 'a Slovak keyword distinguishes it from the Czech number',
      labels: {
        official: ['rodnom čísle', 'rodným číslom', 'rodných čísiel'],
        unsourced: ['slovenské rodné číslo', 'rodné číslo sk', 'slovak birth number'],
      },
      source: 'Zákon č. 301/1995 Z. z.',
      check: isRodneCislo,
      shapes: { own: ['6/4', '6/3', '10', '9', '6 4', '6-4'] },
    },
  ],
};
