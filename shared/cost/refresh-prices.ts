import { closeIntent, openIntent } from '../audit/audit-outbox.ts';
import { type AuditActor, createAuditEvent } from '../audit/audit-record.model.ts';
import type { Models } from '../models.ts';
import { createPriceBook } from './load-price-book.ts';
import type { PriceBookFile } from './price-book-file.ts';
import { readNewestPriceBook, storePriceBook } from './price-book-store.ts';
import { versionOf } from './price-book-version.ts';
import { applyChanges, type Service, services } from './price-changes/apply-changes.ts';
import type { CompareOptions } from './price-changes/compare-context.ts';
import { comparePrices } from './price-changes/compare-prices.ts';
import { isSecondSource } from './price-changes/compare-second-source.ts';
import { type Comparison, changesOf } from './price-changes/finding.ts';
import { storeDisputes } from './price-disputes.ts';
import type { OnProgress } from './price-sources/open-file.ts';
import { readSource, type SourceReading } from './price-sources/read-source.ts';
import type { SourceName } from './price-sources/source-name.ts';

export interface RefreshOptions {
  /** The name of the source in the audit record. */
  name: string;
  actor: AuditActor;
  /** The services whose prices are read and applied. Default: all. */
  only?: readonly Service[];
  acceptLargeChanges?: boolean;
  onProgress?: OnProgress;
}

export interface Refresh {
  /** `current`: the newest version has these prices and this evidence. */
  status: 'applied' | 'current' | 'refused';
  /** The newest version afterwards. */
  version: string;
  /** The number of prices that changed. */
  changes: number;
  reading: SourceReading;
  comparison: Comparison;
}

/**
 * Reads a source, and stores its prices as a new version: by one insert, so that a refresh that is
 * interrupted leaves the old version as it is. Each refresh leaves an audit record. The disputes of
 * a second source are stored beside.
 */
export async function refreshPrices(
  models: Pick<Models, 'priceBookVersion' | 'priceDisputes' | 'auditIntent'>,
  source: SourceName,
  { name, actor, only, acceptLargeChanges = false, onProgress }: RefreshOptions,
): Promise<Refresh> {
  const { stored, file } = await readNewestPriceBook(models);
  const today = new Date().toISOString().slice(0, 10);
  const reading = await readSource(source, file, today, { only, onProgress });
  const { comparison, next } = planRefresh(file, reading, { today, acceptLargeChanges, only });
  const event = createAuditEvent(actor, 'PRICE_BOOK_REFRESHED', { source: name });
  await openIntent(models, event);
  const found = { reading, comparison };
  let outcome: Refresh = { status: 'current', version: stored._id, changes: 0, ...found };
  if (next && versionOf(next) !== stored._id) {
    const added = await storePriceBook(models, next, { source: source.kind, after: stored.sequence });
    if (added) {
      outcome = { status: 'applied', version: added._id, changes: changesOf(comparison).length, ...found };
    } else {
      const reason = `version ${versionOf(next)} does not follow ${stored._id}: it was stored before, or another refresh was faster`;
      comparison.refusals.push({ reason, where: name });
    }
  }
  if (comparison.refusals.length > 0) outcome = { ...outcome, status: 'refused' };
  else if (isSecondSource(source.kind)) await storeDisputes(models, source.kind, comparison);
  await closeIntent(models, event.id, { source: name, ...detailsOf(outcome) });
  return outcome;
}

interface RefreshPlan {
  comparison: Comparison;
  /** The book with the prices of the source; absent if it is refused. */
  next?: PriceBookFile;
}

/** Compares a source with a book, and builds the next one, which must be valid. */
export function planRefresh(file: PriceBookFile, reading: SourceReading, options: CompareOptions): RefreshPlan {
  const comparison = comparePrices(file, reading, options);
  if (comparison.refusals.length > 0) return { comparison };
  const { source, book } = reading;
  try {
    const next = applyChanges(file, { source, ...(book && { book }) }, comparison, options.only ?? services);
    createPriceBook(next);
    return { comparison, next };
  } catch (error) {
    comparison.refusals.push({ reason: (error as Error).message, where: source });
    return { comparison };
  }
}

/** An audit record is short; the reasons are many. */
const maxRefusedLength = 500;

function detailsOf({ status, version, changes, comparison }: Refresh) {
  if (status !== 'refused') return { price_book: version, changes };
  const [first] = comparison.refusals;
  return { refused: `${first?.where}: ${first?.reason}`.slice(0, maxRefusedLength) };
}
