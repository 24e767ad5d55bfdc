import type { IdScheme } from './ids/id-scheme.ts';
import { ID_SCHEMES } from './ids/id-schemes.ts';

/** The words and labels from which the values of a set are composed. */
export interface Vocabulary {
  readonly schemes: readonly IdScheme[];
  readonly firstNames: readonly string[];
  readonly lastNames: readonly string[];
  readonly domains: readonly string[];
  readonly cardLabels: readonly string[];
  readonly cardKeys: readonly string[];
}

export const FIRST_VOCABULARY: Vocabulary = {
  schemes: ID_SCHEMES,
  firstNames: [
    'anna',
    'jan',
    'maria',
    'luis',
    'oluwaseun',
    'mehmet',
    'siobhan',
    'jean-luc',
    'wei',
    'katarzyna',
    'o.brien',
  ],
  lastNames: ['kowalska', 'novak', 'garcia', 'smith', 'ozturk', 'lefevre', 'schmidt', 'tanaka', 'ivanova', 'silva'],
  domains: [
    'example.com',
    'example.org',
    'example.net',
    'mail.example.co.uk',
    'poczta.example.pl',
    'example.de',
    'post.example.fr',
    'correo.example.com.mx',
    'example.io',
    'example.app',
    'xn--bcher-kva.example.com',
    'example.museum',
    'sub-1.example.com.br',
  ],
  cardLabels: [
    'card number',
    'Card no.',
    'credit card',
    'debit card',
    'Kartennummer',
    'numer karty',
    'número de tarjeta',
    'Card',
  ],
  cardKeys: ['card number', 'credit card', 'card', 'cc number', 'card no', 'debit card'],
};
