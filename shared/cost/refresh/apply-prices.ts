import { closeIntent, openIntent } from '../../audit/audit-outbox.ts';
import { type AuditActor, createAuditEvent } from '../../audit/audit-record.model.ts';
import type { Models } from '../../models.ts';
import { versionOf } from '../price-book-file.ts';
import { readNewestPriceBook, storePriceBook } from '../price-books.ts';
import type { Service } from '../price-line.ts';
import { planChanges } from './plan-changes.ts';
import { readSource, type SourceName } from './read-source.ts';
import type { OnProgress } from './source-file.ts';

export interface ApplyOptions {
  actor: AuditActor;
  /** The services whose prices are read and applied. Default: all. */
  only?: readonly Service[] | undefined;
  acceptLargeChanges?: boolean | undefined;
  onProgress?: OnProgress;
}

export type AppliedPrices = Awaited<ReturnType<typeof applyPrices>>;

/** An audit record is short; the reasons are many. */
const maxRefusedLength = 500;

/**
 * Reads a source, and stores its prices as a new version: by one insert, so that whatever
 * interrupts it leaves the old version as it is. Each call leaves an audit record.
 */
export async function applyPrices(
  models: Pick<Models, 'priceBookVersion' | 'auditIntent'>,
  source: SourceName,
  { actor, only, acceptLargeChanges, onProgress }: ApplyOptions,
) {
  const { stored, file } = await readNewestPriceBook(models);
  const reading = await readSource(source, file, { only, onProgress });
  const today = new Date().toISOString().slice(0, 10);
  const plan = planChanges(file, reading, { today, acceptLargeChanges, only });
  const { next, refusals, changes } = plan;
  const event = createAuditEvent(actor, 'PRICE_BOOK_REFRESHED', { source: source.kind });
  await openIntent(models, event);
  /** `current`: the newest version has these prices and this evidence. */
  let status: 'applied' | 'current' | 'refused' = 'current';
  /** The newest version afterwards. */
  let version = stored._id;
  if (next && versionOf(next) !== stored._id) {
    const added = await storePriceBook(models, next, { source: source.kind, after: stored.sequence });
    if (added) [status, version] = ['applied', added._id];
    else {
      const reason = `version ${versionOf(next)} does not follow ${stored._id}: it was stored before, or another change was faster`;
      refusals.push({ reason, where: source.kind });
    }
  }
  const [first] = refusals;
  if (first) status = 'refused';
  const details = first
    ? { refused: `${first.where}: ${first.reason}`.slice(0, maxRefusedLength) }
    : { price_book: version, changes: changes.length };
  await closeIntent(models, event.id, { source: source.kind, ...details });
  return { status, version, reading, plan };
}
