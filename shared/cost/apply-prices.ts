import { closeIntent, openIntent } from '../audit/audit-outbox.ts';
import { type AuditActor, createAuditEvent } from '../audit/audit-record.model.ts';
import type { Models } from '../models.ts';
import { createPriceBook } from './load-price-book.ts';
import type { PriceBookFile } from './price-book-file.ts';
import { readNewestPriceBook, storePriceBook } from './price-book-store.ts';
import { versionOf } from './price-book-version.ts';
import { applyChanges } from './price-changes/apply-changes.ts';
import { type CompareOptions, comparePrices } from './price-changes/compare-prices.ts';
import { type Comparison, changesOf } from './price-changes/finding.ts';
import { type Service, services } from './price-line.ts';
import type { OnProgress } from './price-sources/open-file.ts';
import { readSource, type SourceName, type SourceReading } from './price-sources/read-source.ts';

export interface ApplyOptions {
  actor: AuditActor;
  /** The services whose prices are read and applied. Default: all. */
  only?: readonly Service[];
  acceptLargeChanges?: boolean;
  onProgress?: OnProgress;
}

export interface AppliedPrices {
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
 * Reads a source, and stores its prices as a new version: by one insert, so that whatever
 * interrupts it leaves the old version as it is. Each call leaves an audit record.
 */
export async function applyPrices(
  models: Pick<Models, 'priceBookVersion' | 'auditIntent'>,
  source: SourceName,
  { actor, only, acceptLargeChanges = false, onProgress }: ApplyOptions,
): Promise<AppliedPrices> {
  const { stored, file } = await readNewestPriceBook(models);
  const today = new Date().toISOString().slice(0, 10);
  const reading = await readSource(source, file, { only, onProgress });
  const { comparison, next } = planChanges(file, reading, { today, acceptLargeChanges, only });
  const event = createAuditEvent(actor, 'PRICE_BOOK_REFRESHED', { source: source.kind });
  await openIntent(models, event);
  const found = { reading, comparison };
  let outcome: AppliedPrices = { status: 'current', version: stored._id, changes: 0, ...found };
  if (next && versionOf(next) !== stored._id) {
    const added = await storePriceBook(models, next, { source: source.kind, after: stored.sequence });
    if (added) {
      outcome = { status: 'applied', version: added._id, changes: changesOf(comparison).length, ...found };
    } else {
      const reason = `version ${versionOf(next)} does not follow ${stored._id}: it was stored before, or another change was faster`;
      comparison.refusals.push({ reason, where: source.kind });
    }
  }
  if (comparison.refusals.length > 0) outcome = { ...outcome, status: 'refused' };
  await closeIntent(models, event.id, { source: source.kind, ...detailsOf(outcome) });
  return outcome;
}

interface PlannedChanges {
  comparison: Comparison;
  /** The book with the prices of the source; absent if it is refused. */
  next?: PriceBookFile;
}

/** Compares a source with a book, and builds the next one, which must be valid. */
export function planChanges(file: PriceBookFile, reading: SourceReading, options: CompareOptions): PlannedChanges {
  const comparison = comparePrices(file, reading, options);
  if (comparison.refusals.length > 0) return { comparison };
  const { source, book } = reading;
  try {
    const next = applyChanges(file, book, comparison, options.only ?? services);
    createPriceBook(next);
    return { comparison, next };
  } catch (error) {
    comparison.refusals.push({ reason: (error as Error).message, where: source });
    return { comparison };
  }
}

/** An audit record is short; the reasons are many. */
const maxRefusedLength = 500;

function detailsOf({ status, version, changes, comparison }: AppliedPrices) {
  if (status !== 'refused') return { price_book: version, changes };
  const [first] = comparison.refusals;
  return { refused: `${first?.where}: ${first?.reason}`.slice(0, maxRefusedLength) };
}
