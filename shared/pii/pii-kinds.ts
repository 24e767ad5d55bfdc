import { EMAIL_KINDS } from './email-kinds.ts';
import { NATIONAL_IDS } from './national-ids.ts';
import { PAYMENT_CARD_KINDS } from './payment-card-kinds.ts';
import type { PiiKind } from './pii-kind.ts';

/**
 * All kinds of personal data that the scanner detects. The API and docs/personal-data.md list this
 * table.
 */
export const PII_KINDS: readonly PiiKind[] = [...EMAIL_KINDS, ...PAYMENT_CARD_KINDS, ...NATIONAL_IDS];
