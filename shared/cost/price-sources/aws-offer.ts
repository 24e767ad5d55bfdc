// Reads an offer file of the vendor's price list. The file names products first and prices later.
// Memory holds the products whose prices are taken, and one entry of the file.
import type { PriceBookFile } from '../price-book-file.ts';
import { bookUnit, type PriceLineId } from '../price-line.ts';
import { classifyProduct, serviceOf } from './aws-product.ts';
import { partitionOf } from './partitions.ts';
import { type IsRead, type SourceEntry, SourceError, type SourceFile } from './price-point.ts';
import { fieldsOf, pathIn, readJson, repeatedKey, textOf } from './read-json.ts';
import { shiftDecimal } from './shift-decimal.ts';

interface Header {
  service: PriceLineId['service'];
  published: string;
}

const paths = ['$.formatVersion', '$.offerCode', '$.publicationDate', '$.products.*', '$.terms.OnDemand.*'];

/** Reads an offer, unless it is of a service that is not read. */
export async function* readAwsOffer(
  file: SourceFile,
  book: PriceBookFile,
  isRead: IsRead = () => true,
): AsyncGenerator<SourceEntry> {
  const head: Record<string, unknown> = {};
  /** The products that have a price of the book. */
  const lines = new Map<string, PriceLineId>();
  const priced = new Set<string>();
  let header: Header | undefined;
  for await (const { path, value } of readJson(file, paths)) {
    const [part = '', ...keys] = path;
    if (keys.length === 0) {
      head[part] = value;
      continue;
    }
    header ??= toHeader(file, head);
    if (!isRead(header.service)) return;
    if (part === 'products') {
      const found = classify(header.service, value, book);
      const sku = keys[0] ?? '';
      if (lines.has(sku)) throw repeatedKey(pathIn(file.name, ...path));
      if (found.type === 'price') lines.set(sku, found.line);
      else yield found.type === 'unmapped' ? { ...found, where: pathIn(file.name, ...path) } : found;
      continue;
    }
    const sku = keys[1] ?? '';
    const line = lines.get(sku);
    if (line === undefined) continue;
    if (priced.has(sku)) throw repeatedKey(pathIn(file.name, ...path));
    priced.add(sku);
    yield* readTerms(value, line, { file, path, published: header.published, book });
  }
  if (header === undefined) throw new SourceError(file.name, 'the file has no products');
  if (priced.size === 0 && lines.size > 0) throw new SourceError(file.name, `the file has no ${header.service} prices`);
  for (const sku of lines.keys()) if (!priced.has(sku)) yield { type: 'left-out', reason: 'no on-demand price' };
}

function toHeader(file: SourceFile, { formatVersion, offerCode, publicationDate }: Record<string, unknown>): Header {
  const service = serviceOf(String(offerCode));
  if (formatVersion !== 'v1.0' || service === undefined) {
    throw new SourceError(
      pathIn(file.name, service === undefined ? 'offerCode' : 'formatVersion'),
      `offer ${String(offerCode)} in format ${String(formatVersion)} is not an offer of format v1.0 for the queue, function or inference service`,
    );
  }
  const published = dayOf(publicationDate);
  if (published === null)
    throw new SourceError(pathIn(file.name, 'publicationDate'), 'the date is missing or malformed');
  return { service, published };
}

const dayOf = (value: unknown): string | null => /^\d{4}-\d\d-\d\d(?=T|$)/.exec(textOf(value) ?? '')?.[0] ?? null;

function classify(service: PriceLineId['service'], product: unknown, book: PriceBookFile) {
  const { productFamily, attributes } = fieldsOf(product);
  return classifyProduct(service, textOf(productFamily) ?? '', fieldsOf(attributes) as Record<string, string>, book);
}

interface Place {
  file: SourceFile;
  path: string[];
  published: string;
  book: PriceBookFile;
}

function* readTerms(terms: unknown, line: PriceLineId, place: Place): Generator<SourceEntry> {
  for (const [termCode, term] of Object.entries(fieldsOf(terms))) {
    const { effectiveDate, priceDimensions } = fieldsOf(term);
    for (const [rateCode, dimension] of Object.entries(fieldsOf(priceDimensions))) {
      const where = pathIn(place.file.name, ...place.path, termCode, 'priceDimensions', rateCode);
      try {
        yield toEntry(fieldsOf(dimension), line, dayOf(effectiveDate), where, place);
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        const { message: reason } = error;
        yield error instanceof UnusablePrice
          ? { type: 'unusable', line, reason, where }
          : { type: 'refused', reason, where };
      }
    }
  }
}

/** A price that cannot be read. The others of the file do not depend on it. */
class UnusablePrice extends RangeError {}

function toAmount(usd: unknown, units: number, line: PriceLineId): string {
  const { power, maxDecimals } = bookUnit(line);
  try {
    return shiftDecimal(textOf(usd) ?? String(usd), power - units, maxDecimals);
  } catch (error) {
    throw new UnusablePrice((error as Error).message);
  }
}

/** @throws RangeError that says why the file must not be used, or UnusablePrice. */
function toEntry(
  { unit, description, pricePerUnit, beginRange, endRange }: Record<string, unknown>,
  line: PriceLineId,
  effectiveDate: string | null,
  where: string,
  { file, published, book }: Place,
): SourceEntry {
  const prices = fieldsOf(pricePerUnit);
  const usd = prices['USD'];
  const [currency = 'USD'] = Object.keys(prices);
  if (usd === undefined && partitionOf(line.scope) === 'aws-cn')
    return { type: 'left-out', reason: `price in ${currency}` };
  if (usd === undefined && currency !== 'USD') throw new RangeError(`the price is in ${currency}, not in USD`);
  const isRegion = line.scope !== 'global';
  if (isRegion && file.expectedRegion !== undefined && file.expectedRegion !== line.scope) {
    throw new RangeError(`the file is for ${file.expectedRegion}, but the price is for ${line.scope}`);
  }
  if (isRegion && !book.regions.some(({ code }) => code === line.scope)) {
    const partition = partitionOf(line.scope);
    if (!book.regions.some((region) => region.partition === partition)) {
      throw new RangeError(`Region ${line.scope} is of another partition (${partition})`);
    }
    return { type: 'unmapped', name: `Region ${line.scope}`, where };
  }
  const units = unitPower(line, textOf(unit) ?? '', textOf(description) ?? '');
  if (units === undefined) return { type: 'unmapped', name: `unit "${String(unit)}" of ${line.item}`, where };
  return {
    type: 'price',
    ...line,
    amount: toAmount(usd, units, line),
    from: toCount(beginRange) ?? 0n,
    to: toCount(endRange),
    effectiveDate,
    evidenceDate: published,
    where,
  };
}

/** The power of ten of the units that a price is for; undefined if the file does not tell. */
function unitPower({ service }: PriceLineId, unit: string, description: string): number | undefined {
  // "Units" of a marketplace product are what its description counts.
  const text = service === 'inference' && /^units?$/i.test(unit) ? description : unit;
  if (/\b1M\b|million|1,?000,?000/i.test(text)) return 6;
  if (/\b1K\b|thousand|1,?000/i.test(text)) return 3;
  if (service === 'inference') return /^tokens?$/i.test(text) ? 0 : undefined;
  return /^(?:requests?|(?:lambda-)?gb-seconds?|seconds?)$/i.test(text) ? 0 : undefined;
}

/** A limit of a tier; null for `Inf` or a product without tiers. */
function toCount(range: unknown): bigint | null {
  if (range === undefined || range === 'Inf') return null;
  const text = textOf(range) ?? JSON.stringify(range);
  if (!/^\d{1,20}$/.test(text)) throw new RangeError(`"${text.slice(0, 40)}" is not the limit of a tier`);
  return BigInt(text);
}
