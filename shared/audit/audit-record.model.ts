import { randomUUID } from 'node:crypto';
import { type Static, Type } from 'typebox';
import { defineModel } from '../connections/mongo.ts';
import { minute } from '../durations.ts';

export const auditEventTypes = [
  'SCENARIO_CREATED',
  'SCENARIO_UPDATED',
  'SCENARIO_DELETED',
  'USER_CREATED',
  'USER_UPDATED',
  'USER_DELETED',
  'API_KEY_CREATED',
  'API_KEY_UPDATED',
  'API_KEY_DELETED',
  'PRICE_BOOK_REFRESHED',
  'PRICE_OVERRIDES_UPDATED',
] as const;
export type AuditEventType = (typeof auditEventTypes)[number];

/**
 * `header`: the sender named the user in `X-User-ID`, which proves nothing. `credentials`: a valid
 * token or API key did.
 */
export const userIdSources = ['header', 'credentials'] as const;
type UserIdSource = (typeof userIdSources)[number];

/** Who sent the request that made a change. */
export interface AuditActor {
  userId: string | null;
  /** Null if `userId` is null. */
  userIdSource: UserIdSource | null;
  /**
   * The account of the valid token or API key, whatever `X-User-ID` says; null without credentials.
   */
  accountId: string | null;
  apiKeyId: string | null;
  clientAddress: string;
  requestId: string;
}

const text = (description: string) => Type.Optional(Type.String({ description }));
const texts = (description: string) => Type.Optional(Type.Array(Type.String(), { description }));
const uuid = Type.String({ format: 'uuid' });
const count = Type.Optional(Type.Integer({ minimum: 0 }));

/** The details that the reference records of an event, stored as responses show them. */
export const auditDetails = Type.Object({
  name: Type.Optional(Type.String()),
  region: Type.Optional(Type.String()),
  fields: texts('Names of the updated fields.'),
  status: text('The new status.'),
  action: Type.Optional(Type.Enum(['bulk_delete', 'rotate'], { type: 'string' })),
  target_id: Type.Optional(uuid),
  new_owner_id: Type.Optional(uuid),
  requested: count,
  deleted: count,
  failed: count,
  scenario_ids: Type.Optional(Type.Array(uuid, { description: 'The scenarios that a bulk delete has deleted.' })),
  source: text('The kind of the source of new prices: `aws` or `book`.'),
  price_book: text('The version of the price book after it.'),
  overrides: texts('The own prices and discounts afterwards.'),
  changes: Type.Optional(Type.Integer({ minimum: 0, description: 'The prices that it changed.' })),
  refused: text('Why it was refused, without any change.'),
  interrupted: Type.Optional(
    Type.Boolean({
      description: 'The request did not end normally: what it changed is unknown, except what `deleted` counts.',
    }),
  ),
});
export type AuditDetails = Static<typeof auditDetails>;

/** An event as it waits for its record, in the row that it changes or in an intent. */
export interface AuditEvent extends AuditActor {
  id: string;
  type: AuditEventType;
  /** When the change was made, by the clock of the process that made it. */
  at: Date;
  details: AuditDetails;
}

/** One link of the chain. Records are inserted, and never changed or removed. */
export interface AuditRecord extends Omit<AuditEvent, 'id'> {
  /** Follows from the event, so that an event is recorded once. */
  _id: string;
  /** Position in the chain, from 1, without gaps. */
  seq: number;
  scenarioId: string | null;
  /** Hash of the record before; 64 zeros in the first record. */
  previousHash: string;
  /** SHA-256, hexadecimal; shared/audit/audit-chain.ts has what it covers. */
  hash: string;
}

export function createAuditEvent(actor: AuditActor, type: AuditEventType, details: AuditDetails): AuditEvent {
  return { id: randomUUID(), type, at: new Date(), ...actor, details };
}

export const createAuditRecordModel = defineModel<AuditRecord>('audit_records', [
  // Makes the chain strict: of two processes that append after the same record, one is refused.
  // Serves its verification.
  [{ seq: 1 }, { unique: true }],
  // Serve the list with each of its filters and a period, the newest record first.
  [{ at: 1, seq: 1 }],
  [{ type: 1, at: 1, seq: 1 }],
  [{ scenarioId: 1, at: 1, seq: 1 }],
  [{ 'details.scenario_ids': 1, at: 1, seq: 1 }],
  [{ userId: 1, at: 1, seq: 1 }],
  [{ requestId: 1, at: 1, seq: 1 }],
]);

/**
 * An operation whose event has no row to wait in, because it changes many rows or removes its row.
 * It is stored before the first change, and removed after its record is appended.
 */
export interface AuditIntent {
  /** The id of the event. The rows that the operation deletes name it in `deletedIn`. */
  _id: string;
  event: AuditEvent;
  /** Set when the operation has ended, together with the final details of the event. */
  closed: boolean;
  begunAt: Date;
}

/**
 * An open intent of this age belongs to an operation that did not end normally. No operation takes
 * as long, also if the clocks of two processes differ by minutes.
 */
export const abandonedAfter = 10 * minute;

export const createAuditIntentModel = defineModel<AuditIntent>('audit_intents', [
  // Serves the search for closed intents, and for abandoned ones.
  [{ closed: 1, begunAt: 1 }],
]);
