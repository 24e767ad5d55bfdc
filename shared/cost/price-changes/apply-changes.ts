// The price book after a comparison: the prices that changed, and where each of them comes from.
import type { InferencePricesFile, PriceBookFile, PriceEvidenceFile, QueueTiersFile } from '../price-book-file.ts';
import { evidenceOf } from '../price-evidence.ts';
import { type InferenceKind, keyOf, type PriceLineId, type Service, services } from '../price-line.ts';
import { bookLines } from './book-lines.ts';
import { type Comparison, changesOf } from './finding.ts';
import type { PriceLine } from './price-lines.ts';

/**
 * Applies what a source changes, and the dates of what the vendor confirms. The book is not
 * changed.
 * @param other the other book, if the source is one: otherwise it is the vendor's list.
 * @param comparison one without refusals.
 * @param only the services whose prices are applied.
 */
export function applyChanges(
  book: PriceBookFile,
  other: PriceBookFile | undefined,
  comparison: Comparison,
  only: readonly Service[],
): PriceBookFile {
  if (other) return withoutLeftOut(replaceServices(book, structuredClone(other), only), book, comparison);
  const file = structuredClone(book);
  applyLines(file, comparison, only);
  return file;
}

/** The sections of another book. Names and sources of both stay, because prices refer to them. */
function replaceServices(book: PriceBookFile, other: PriceBookFile, only: readonly Service[]): PriceBookFile {
  if (only.length === services.length) return other;
  const evidenceIn = (evidence: PriceBookFile['evidence'] = {}, isApplied: boolean) =>
    Object.entries(evidence).filter(([key]) => only.some((name) => key.startsWith(`${name} `)) === isApplied);
  return {
    ...book,
    as_of: other.as_of,
    sources: joinBy(({ id }) => id, book.sources, other.sources),
    regions: joinBy(({ code }) => code, book.regions, other.regions),
    evidence: Object.fromEntries([...evidenceIn(book.evidence, false), ...evidenceIn(other.evidence, true)]),
    ...Object.fromEntries(only.map((service) => [service, other[service]])),
  };
}

const joinBy = <Row>(keyOfRow: (row: Row) => string, ...lists: readonly (readonly Row[])[]): Row[] => [
  ...new Map(lists.flat().map((row) => [keyOfRow(row), row])).values(),
];

/** The next book with the present prices where those of the other book are left out. */
function withoutLeftOut(next: PriceBookFile, book: PriceBookFile, { leftOut }: Comparison): PriceBookFile {
  const evidence: Record<string, PriceEvidenceFile> = { ...next.evidence };
  for (const { line } of leftOut) {
    const origin = keepers[line.service](next, book, line) ? evidenceOf(book, line) : undefined;
    if (origin) evidence[keyOf(line)] = origin;
    else delete evidence[keyOf(line)];
  }
  if (leftOut.length === 0) return next;
  return { ...next, sources: joinBy(({ id }) => id, book.sources, next.sources), evidence };
}

/**
 * Puts the present price in the place of one that is left out, and with it those that cannot be
 * without it. @returns false if there is no present price: then the next book has none either.
 */
type KeepPrice = (next: PriceBookFile, book: PriceBookFile, line: PriceLineId) => boolean;

const functionField = (item: string) =>
  item === 'requests'
    ? ('request_price_per_million' as const)
    : (`${item as 'x86_64' | 'arm64'}_prices_per_gb_second` as const);

const keepers: Readonly<Record<Service, KeepPrice>> = {
  queue: (next, book, { scope, item }) => {
    const [region, own] = [next.queue.regions[scope], book.queue.regions[scope]];
    const tiers = own?.[item as 'standard' | 'fifo'];
    if (own && tiers) next.queue.regions[scope] = { ...(region ?? own), [item]: tiers };
    else delete region?.[item as 'standard' | 'fifo'];
    return tiers !== undefined;
  },
  function: (next, book, { scope, item }) => {
    const own = book.function.regions[scope];
    const field = functionField(item);
    if (own) next.function.regions[scope] = { ...(next.function.regions[scope] ?? own), [field]: own[field] };
    else delete next.function.regions[scope];
    return own !== undefined;
  },
  inference: (next, book, { scope, item, kind }) => {
    const find = ({ inference }: PriceBookFile) => inference.models.find(({ id }) => id === item);
    const [model, own] = [find(next), find(book)];
    const field = `${kind as InferenceKind}_per_1k` as const;
    const prices = own?.prices[scope];
    if (own && prices?.[field] !== undefined) {
      if (model) model.prices[scope] = { ...(model.prices[scope] ?? prices), [field]: prices[field] };
      else next.inference.models.push(own);
      return true;
    }
    if (kind === 'input' || kind === 'output') delete model?.prices[scope];
    else delete model?.prices[scope]?.[field];
    if (model && Object.keys(model.prices).length === 0)
      next.inference.models = next.inference.models.filter((other) => other !== model);
    return false;
  },
};

function applyLines(file: PriceBookFile, comparison: Comparison, only: readonly Service[]): void {
  const changed = new Set(changesOf(comparison).map(keyOf));
  const confirmed = new Set(comparison.findings.filter(({ type }) => type === 'same').map(keyOf));
  const held = bookLines(file);
  const evidence: Record<string, PriceEvidenceFile> = { ...file.evidence };
  for (const line of comparison.lines.filter(({ service }) => only.includes(service))) {
    const isChanged = changed.has(keyOf(line));
    if (!isChanged && !confirmed.has(keyOf(line))) continue;
    const source = vendorSource(line.point.evidenceDate);
    const origin = { as_of: line.point.evidenceDate ?? 'unknown', sources: [source.id] };
    if (isChanged) setters[line.service](file, line, origin);
    // A Region without a price of its own confirms that of all commercial Regions.
    const key = isChanged || held.has(keyOf(line)) ? keyOf(line) : keyOf({ ...line, scope: 'geo' });
    if (!file.sources.some(({ id }) => id === source.id)) file.sources.push(source);
    evidence[key] = { effective_from: line.point.effectiveDate, ...origin };
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

/** The source that the vendor's prices name, one for each day on which they were published. */
function vendorSource(date: string | null): PriceBookFile['sources'][number] {
  return {
    id: `refresh-aws-${date ?? 'undated'}`,
    title: 'AWS Price List Bulk API',
    publisher: 'Amazon Web Services',
    version: date ?? 'without a date',
    retrieved_via: 'npm run prices',
    supports: 'refreshed prices',
  };
}

type Origin = Pick<PriceEvidenceFile, 'as_of' | 'sources'>;
type SetLine = (file: PriceBookFile, line: PriceLine, origin: Origin) => void;

const setters: Readonly<Record<Service, SetLine>> = {
  queue: (file, { scope, item, steps }, origin) => {
    const tiers: QueueTiersFile = {
      tiers_complete: steps.at(-1)?.to === null,
      tiers: steps.map(({ to, amount }) => ({
        to_requests: to === null ? null : Number(to),
        price_per_million: amount,
      })),
    };
    file.queue.regions[scope] = { ...(file.queue.regions[scope] ?? origin), [item]: tiers };
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
