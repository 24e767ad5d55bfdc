import type { Family } from '../family.ts';
import { BANKING } from './banking.ts';
import { COMMERCE } from './commerce.ts';
import { DATA_STORES } from './data-stores.ts';
import { FORMATS } from './formats.ts';
import { MAIL_SERVERS } from './mail-servers.ts';
import { PEOPLE } from './people.ts';
import { PLATFORMS } from './platforms.ts';
import { LANGUAGES_OF_THE_WORLD } from './scripts-of-the-world.ts';
import { PRINTED_OBJECTS } from './values-of-languages.ts';

export const SECOND_FAMILIES: readonly Family[] = [
  COMMERCE,
  PEOPLE,
  BANKING,
  PLATFORMS,
  DATA_STORES,
  PRINTED_OBJECTS,
  FORMATS,
  MAIL_SERVERS,
  LANGUAGES_OF_THE_WORLD,
];
