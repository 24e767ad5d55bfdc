import { formatNumber } from '../../../shared/amounts.ts';
import type { AuditRecord, AuditVerification } from '../../client/responses.ts';

export const eventNames: Readonly<Record<AuditRecord['event_type'], string>> = {
  SCENARIO_CREATED: 'Scenario created',
  SCENARIO_UPDATED: 'Scenario changed',
  SCENARIO_DELETED: 'Scenario deleted',
  USER_CREATED: 'User created',
  USER_UPDATED: 'User changed',
  USER_DELETED: 'User deleted',
  API_KEY_CREATED: 'API key created',
  API_KEY_UPDATED: 'API key changed',
  API_KEY_DELETED: 'API key revoked',
  PRICE_BOOK_REFRESHED: 'New prices',
  PRICE_OVERRIDES_UPDATED: 'Own prices changed',
};

/** Words for the fields whose names in the API readers of the page would not understand. */
const fieldNames: Readonly<Record<string, string>> = {
  assumptions: 'settings',
  created_by: 'owner',
  expires_at: 'expiry',
  owned_resources: 'the owner of its resources',
  password_link: 'the link for a new password',
  disabled: 'whether it is disabled',
};

/**
 * The parts of the text about the change that a record describes: `changed: role`, `now running`.
 * @param nameOf returns the e-mail address of an account, or its id if the address is not known.
 */
export function detailsOf({ details }: Pick<AuditRecord, 'details'>, nameOf: (id: string) => string): string[] {
  const { name, region, fields, status, action, deleted, requested, source, refused, interrupted } = details;
  const parts = [
    details.target_id && nameOf(details.target_id),
    name && `“${name}”`,
    region && `in ${region}`,
    status && `now ${status}`,
    fields && fields.length > 0 && `changed: ${fields.map((field) => fieldNames[field] ?? field).join(', ')}`,
    action === 'rotate' && 'the key got a new secret',
    action === 'bulk_delete' &&
      `${formatNumber(deleted ?? 0)} of ${formatNumber(requested ?? 0)} deleted in one request`,
    details.new_owner_id && `now owned by ${nameOf(details.new_owner_id)}`,
    source && `from ${source}`,
    details.price_book && `price book ${details.price_book}`,
    details.changes !== undefined && `${formatNumber(details.changes)} prices changed`,
    details.overrides && details.overrides.join('; '),
    refused && `refused: ${refused}`,
    interrupted && 'the request did not end normally: it may have changed more than is recorded',
  ];
  return parts.filter((part): part is string => typeof part === 'string' && part !== '');
}

const faults: Readonly<Record<NonNullable<AuditVerification['fault']>, string>> = {
  missing: 'is missing',
  changed: 'was changed after it was written',
  relinked: 'does not have the fingerprint of the record before it',
  replaced: 'is not the one that was noted: the records up to it can have been computed anew',
};

/**
 * The outcome of a verification, in words.
 * @param last the response for the last portion.
 * @param intact the number of intact records in all portions.
 */
export function outcomeOf(last: AuditVerification, intact: number): string {
  if (last.first_broken_seq !== null && last.fault !== null) {
    const found = `Record ${formatNumber(last.first_broken_seq)} ${faults[last.fault]}.`;
    // A chain that was computed anew is intact, too.
    return last.fault === 'replaced' ? found : `${found} The ${formatNumber(intact)} records before it are intact.`;
  }
  if (intact === 0) return 'There are no records yet.';
  if (!last.end_checked)
    return `The chain of ${formatNumber(intact)} records is unbroken. Its end could not be checked.`;
  return `All ${formatNumber(intact)} records are intact: none was changed, removed or inserted.`;
}
