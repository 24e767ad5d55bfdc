import { EMAIL_KINDS } from './email-kinds.ts';
import { AMERICAS_KINDS } from './national-ids-of-americas.ts';
import { ASIA_PACIFIC_AFRICA_KINDS } from './national-ids-of-asia-pacific-africa.ts';
import { CENTRAL_EUROPE_KINDS } from './national-ids-of-central-europe.ts';
import { NORTHERN_EUROPE_KINDS } from './national-ids-of-northern-europe.ts';
import { WESTERN_EUROPE_KINDS } from './national-ids-of-western-europe.ts';
import { PAYMENT_CARD_KINDS } from './payment-card-kinds.ts';
import type { PiiKind } from './pii-kind.ts';

/**
 * Keywords of identity numbers in general. Such a keyword is enough for a number that passes the checks of a scheme.
 */
export const GENERAL_KEYWORDS = [
  'national id',
  'national id number',
  'national ids',
  'nationalid',
  'national identification',
  'national identification number',
  'national identity',
  'national identity number',
  'national number',
  'citizen',
  'citizen id',
  'citizenship number',
  'identity number',
  'identity no',
  'identity card',
  'identification number',
  'identification no',
  'identity document',
  'id card',
  'id number',
  'id no',
  'id num',
  'personal id',
  'personal identification',
  'personal identification number',
  'personal identity number',
  'personal identity code',
  'personal identification code',
  'personal id number',
  'identity code',
  'id code',
  'personal number',
  'government id',
  'gov id',
  'resident id',
  'social security number',
  'social security',
  'tax id',
  'tax number',
  'tax identification number',
  'taxpayer id',
  'tin',
  'nin',
  'natid',
  'identidad',
  'documento de identidad',
  'identité',
  'numéro d identité',
  'carte d identité',
  'ausweis',
  'personalausweis',
  'personenkennziffer',
  'ausweisnummer',
  'documento',
  'carta d identità',
  'cédula',
  'identidade',
  'identiteit',
  'tunnus',
  'dowód',
] as const;

/** All rows of national ids. */
export const NATIONAL_ID_KINDS = [
  ...WESTERN_EUROPE_KINDS,
  ...NORTHERN_EUROPE_KINDS,
  ...CENTRAL_EUROPE_KINDS,
  ...AMERICAS_KINDS,
  ...ASIA_PACIFIC_AFRICA_KINDS,
] as const;

/**
 * All kinds of personal data that the scanner detects. The API and docs/personal-data.md list this table. The scanner
 * reads the keywords from it.
 */
export const PII_KINDS = [
  ...EMAIL_KINDS,
  ...PAYMENT_CARD_KINDS,
  ...NATIONAL_ID_KINDS,
] as const satisfies readonly PiiKind[];

export type NationalIdScheme = (typeof NATIONAL_ID_KINDS)[number]['scheme'];
export type PaymentCardScheme = (typeof PAYMENT_CARD_KINDS)[number]['scheme'];
export type PiiScheme = (typeof PII_KINDS)[number]['scheme'];
