import type { Choice } from '../components/form.tsx';

const hour = 3_600;
const day = 24 * hour;

/** When a new key expires, in seconds from its creation; an empty value is never. */
export const expiryChoices: readonly Choice[] = [
  { value: '', text: 'Never' },
  { value: String(day), text: 'In 1 day' },
  { value: String(30 * day), text: 'In 30 days' },
  { value: String(365 * day), text: 'In 1 year' },
];

/** How long the old key still works after a rotation, in seconds. */
export const graceChoices: readonly Choice[] = [
  { value: '0', text: 'Ends at once' },
  { value: String(hour), text: 'Works for 1 more hour' },
  { value: String(day), text: 'Works for 1 more day' },
  { value: String(7 * day), text: 'Works for 7 more days' },
];

/** The time of an expiry that was chosen; null for never. */
export const expiryOf = (seconds: string, now = Date.now()): string | null =>
  seconds === '' ? null : new Date(now + Number(seconds) * 1_000).toISOString();

export const isExpired = (expiresAt: string | null, now = Date.now()): boolean =>
  expiresAt !== null && Date.parse(expiresAt) <= now;
