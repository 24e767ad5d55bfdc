import type { AuditRecord, AuditVerification } from '../../client/responses.ts';
import { formatNumber } from '../../format/amounts.ts';

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
  PRICE_BOOK_REFRESHED: 'Prices updated',
  PRICE_OVERRIDES_UPDATED: 'Own prices changed',
};

/** The names of fields, where the name itself does not say it. */
const fieldNames: Readonly<Record<string, string>> = {
  assumptions: 'settings',
  created_by: 'owner',
  expires_at: 'expiry',
  owned_resources: 'the owner of what it owned',
  password_link: 'a new link for the password',
  disabled: 'disabled or enabled',
};

/**
 * The parts of a record's text about its change: `changed: role`, `now running`.
 * @param nameOf the name of an account, from its id.
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
    action === 'bulk_delete' && `${formatNumber(deleted ?? 0)} of ${formatNumber(requested ?? 0)} deleted at once`,
    details.new_owner_id && `now of ${nameOf(details.new_owner_id)}`,
    source && `from ${source}`,
    details.price_book && `price book ${details.price_book}`,
    details.changes !== undefined && `${formatNumber(details.changes)} prices changed`,
    details.overrides && details.overrides.join('; '),
    refused && `refused: ${refused}`,
    interrupted && 'the request did not end normally, so its outcome is not known',
  ];
  return parts.filter((part): part is string => typeof part === 'string' && part !== '');
}

const faults: Readonly<Record<NonNullable<AuditVerification['fault']>, string>> = {
  missing: 'is missing',
  changed: 'was changed after it was written',
  relinked: 'does not follow the record before it',
  replaced: 'is not the one that was written: the records were computed anew',
};

/** The outcome of a verification in a sentence. */
export function outcomeOf(last: AuditVerification, checked: number): string {
  if (last.first_broken_seq !== null && last.fault !== null) {
    return `Record ${formatNumber(last.first_broken_seq)} ${faults[last.fault]}. The ${formatNumber(checked)} records before it are intact.`;
  }
  if (checked === 0) return 'There are no records yet.';
  if (!last.end_checked)
    return `The chain of ${formatNumber(checked)} records is unbroken. Its end could not be checked.`;
  return `All ${formatNumber(checked)} records are intact: none was changed, removed or inserted.`;
}
