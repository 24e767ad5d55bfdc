import { NATIONAL_IDS } from './national-ids.ts';
import { PAYMENT_CARD_KINDS } from './payment-card.ts';
import type { PiiKind } from './pii-kind.ts';

const EMAIL_KIND: PiiKind = {
  type: 'email',
  scheme: 'email',
  name: 'E-mail address',
  pattern:
    'local part of 1 to 64 letters, digits and . _ % + \' - (or a quoted string), "@", labels of letters, digits and "-", a top-level domain that exists',
  checksum: 'none; the top-level domain must be in the IANA root zone',
  context: 'not needed; user info of a URL, scp targets, package versions and message ids are not addresses',
  keywords: [],
  source: 'RFC 5321 section 4.1.2, RFC 6531, IANA root zone database',
};

/** All kinds of personal data that the scanner detects. `GET /api/v1/pii-kinds` lists them. */
export const PII_KINDS: readonly PiiKind[] = [EMAIL_KIND, ...PAYMENT_CARD_KINDS, ...NATIONAL_IDS];
