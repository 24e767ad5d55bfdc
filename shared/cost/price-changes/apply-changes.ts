// The price book after a comparison: the prices that changed, and where each of them comes from.
import type { InferencePricesFile, PriceBookFile, PriceEvidenceFile, QueueTiersFile } from '../price-book-file.ts';
import type { PriceLineId } from '../price-line.ts';
import type { SourceKind } from '../price-sources/price-point.ts';
import { addModels } from './add-models.ts';
import { bookLines } from './book-lines.ts';
import { type Comparison, changesOf } from './finding.ts';
import { keyOf, type ReadLine } from './price-lines.ts';
import { sourceOf } from './refresh-source.ts';

export type Service = PriceLineId['service'];
export const services = ['queue', 'function', 'inference'] as const satisfies readonly Service[];

interface AppliedSource {
  source: SourceKind;
  /** The other book, if the source is one. */
  book?: PriceBookFile;
}

/**
 * Applies what a source changes, and the dates of what the vendor confirms. The book is not
 * changed.
 * @param comparison one without refusals.
 * @param only the services whose prices are applied.
 */
export function applyChanges(
  book: PriceBookFile,
  { source, book: other }: AppliedSource,
  comparison: Comparison,
  only: readonly Service[],
): PriceBookFile {
  if (other) return replaceServices(book, other, only);
  const file = structuredClone(book);
  if (source === 'aws') applyLines(file, comparison, only);
  else if (only.includes('inference')) addModels(file, source, changesOf(comparison));
  return file;
}

/** The sections of another book. Names and sources of both stay, because prices refer to them. */
function replaceServices(book: PriceBookFile, other: PriceBookFile, only: readonly Service[]): PriceBookFile {
  if (only.length === services.length) return other;
  const evidenceIn = (evidence: PriceBookFile['evidence'] = {}, isApplied: boolean) =>
    Object.entries(evidence).filter(([key]) => only.some((name) => key.startsWith(`${name} `)) === isApplied);
  const byKey = <Row>(rows: readonly Row[], keyOfRow: (row: Row) => string) => [
    ...new Map(rows.map((row) => [keyOfRow(row), row])).values(),
  ];
  return {
    ...book,
    as_of: other.as_of,
    sources: byKey([...book.sources, ...other.sources], ({ id }) => id),
    regions: byKey([...book.regions, ...other.regions], ({ code }) => code),
    evidence: Object.fromEntries([...evidenceIn(book.evidence, false), ...evidenceIn(other.evidence, true)]),
    ...Object.fromEntries(only.map((service) => [service, other[service]])),
  };
}

function applyLines(file: PriceBookFile, comparison: Comparison, only: readonly Service[]): void {
  const changed = new Set(changesOf(comparison).map(keyOf));
  const confirmed = new Set(comparison.findings.filter(({ type }) => type === 'same').map(keyOf));
  const held = bookLines(file);
  const evidence: Record<string, PriceEvidenceFile> = { ...file.evidence };
  for (const line of comparison.lines.filter(({ service }) => only.includes(service))) {
    const isChanged = changed.has(keyOf(line));
    if (!isChanged && !confirmed.has(keyOf(line))) continue;
    const { id, source } = sourceOf('aws', line.point.evidenceDate);
    if (isChanged) setters[line.service](file, line, id);
    // A Region without a price of its own confirms that of all commercial Regions.
    const key = isChanged || held.has(keyOf(line)) ? keyOf(line) : keyOf({ ...line, scope: 'geo' });
    if (!file.sources.some((known) => known.id === id)) file.sources.push(source);
    evidence[key] = {
      effective_from: line.point.effectiveDate,
      as_of: line.point.evidenceDate ?? 'unknown',
      sources: [id],
    };
    if ((line.point.evidenceDate ?? '') > file.as_of) file.as_of = line.point.evidenceDate ?? file.as_of;
  }
  for (const finding of comparison.findings) {
    if (finding.type !== 'stale' || !only.includes('inference')) continue;
    const key = keyOf(finding);
    const model = file.inference.models.find(({ id }) => id === finding.item);
    const before = evidence[key] ?? { effective_from: null, as_of: model?.as_of ?? '', sources: model?.sources ?? [] };
    evidence[key] = { ...before, stale: true };
  }
  if (Object.keys(evidence).length > 0) file.evidence = evidence;
}

type SetLine = (file: PriceBookFile, line: ReadLine, sourceId: string) => void;

const setters: Readonly<Record<Service, SetLine>> = {
  queue: (file, { scope, item, steps, point }, sourceId) => {
    const tiers: QueueTiersFile = {
      tiers_complete: steps.at(-1)?.to === null,
      tiers: steps.map(({ to, amount }) => ({
        to_requests: to === null ? null : Number(to),
        price_per_million: amount,
      })),
    };
    const region = file.queue.regions[scope] ?? { as_of: point.evidenceDate ?? 'unknown', sources: [sourceId] };
    file.queue.regions[scope] = { ...region, [item]: tiers };
  },
  function: (file, { scope, item, steps }) => {
    const region = file.function.regions[scope];
    if (!region) throw new RangeError(`the book has no function prices of ${scope}`);
    if (item === 'requests') region.request_price_per_million = steps[0]?.amount ?? '';
    else region[`${item as 'x86_64' | 'arm64'}_prices_per_gb_second`] = steps.map(({ amount }) => amount);
  },
  inference: (file, { scope, item, kind, steps }) => {
    const model = file.inference.models.find(({ id }) => id === item);
    if (!model) throw new RangeError(`the book has no model ${item}`);
    const isCommercial = file.regions.some(({ code, partition }) => code === scope && partition === 'aws');
    // Until now, the Region had the prices of all commercial Regions.
    const free = model.kind === 'embedding' ? { output_per_1k: '0' } : undefined;
    const own = model.prices[scope] ?? { ...free, ...(isCommercial ? model.prices['geo'] : undefined) };
    model.prices[scope] = { ...own, [`${kind}_per_1k`]: steps[0]?.amount } as InferencePricesFile;
  },
};
