import type { Account } from './accounts.ts';
import { successOf } from './requests.ts';
import type { TestService } from './test-service.ts';
import { waitUntil } from './wait-until.ts';

const path = '/api/v1/audit-records';

export interface ShownRecord {
  seq: number;
  id: string;
  event_type: string;
  occurred_at: string;
  request_id: string;
  scenario_id: string | null;
  user_id: string | null;
  user_id_source: string | null;
  account_id: string | null;
  api_key_id: string | null;
  details: Record<string, unknown>;
  previous_hash: string;
  hash: string;
  client_address: string;
}

/** Reads audit records as an admin; `query` begins with `?`. */
export async function listRecords(service: TestService, admin: Account, query = ''): Promise<ShownRecord[]> {
  return (await successOf(service.request('GET', `${path}${query}`, admin))).body.items;
}

/** Waits until no event waits for its record. */
export async function waitForRecords({ app: { models } }: Pick<TestService, 'app'>): Promise<void> {
  await waitUntil('all audit records', async () => {
    const waiting = await models.scenario.exists({ 'pendingAudit.at': { $type: 'date' } });
    return waiting === null && (await models.auditIntent.exists({ closed: true })) === null;
  });
}

/**
 * Verifies the chain to its end, in portions. @returns the last response, and how many records were
 * checked in all.
 */
export async function verifyRecords(service: TestService, admin: Account, limit = 1_000) {
  let checked = 0;
  for (let next = 1; ; ) {
    const query = `?from_seq=${next}&limit=${limit}`;
    const { body } = await successOf(service.request('GET', `${path}/verify${query}`, admin));
    checked += body.checked;
    if (body.next_seq === null) return { ...body, checked };
    next = body.next_seq;
  }
}
