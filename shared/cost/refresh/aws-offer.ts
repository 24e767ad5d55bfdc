// Finds and reads the offer files of the vendor's price list. A file names products first and
// prices later: memory holds the products whose prices are taken, and one entry of the file.
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fieldsOf } from '../book-lines.ts';
import { shiftDecimal } from '../money.ts';
import { bookUnit, type PriceLineId, type Service } from '../price-line.ts';
import { classifyProduct, partitionOf, serviceOf } from './aws-product.ts';
import {
  isAddress,
  openFile,
  type PricePoint,
  pathIn,
  type ReadContext,
  readJson,
  repeatedKey,
  SourceError,
  type SourceFile,
  type SourceReading,
  textOf,
} from './source-file.ts';

const offers = ['AWSQueueService', 'AWSLambda', 'AmazonBedrock', 'AmazonBedrockFoundationModels'];

/** Finds the offer files: those of a folder, or those that the indexes below an address name. */
export async function* findAwsFiles(location: string, context: ReadContext): AsyncGenerator<SourceFile> {
  const { onProgress } = context;
  if (!isAddress(location)) {
    for (const path of await listFolder(location)) yield openFile(path, onProgress);
  } else if (location.endsWith('region_index.json')) {
    yield* followIndex(location, context);
  } else if (new URL(location).pathname.endsWith('.json')) {
    yield openFile(location, onProgress);
  } else {
    for (const offer of offers.filter((name) => context.only.includes(serviceOf(name) as Service))) {
      const path = `offers/v1.0/aws/${offer}/current/region_index.json`;
      yield* followIndex(`${location.replace(/\/*$/, '/')}${path}`, context);
    }
  }
}

/** The offer files of a folder, whatever their names, or the file itself. */
async function listFolder(folder: string): Promise<string[]> {
  const found = await stat(folder).catch((error: Error) => {
    throw new SourceError(folder, `the folder cannot be read: ${error.message}`, { cause: error });
  });
  if (found.isFile()) return [folder];
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.json')).sort();
  if (names.length === 0) throw new SourceError(folder, 'the folder has no offer files');
  return names.filter((name) => !name.endsWith('region_index.json')).map((name) => join(folder, name));
}

/**
 * The files of the book's Regions. An index promises a file for each Region: if one is missing, half
 * of a run would be applied.
 */
async function* followIndex(index: string, { book, onProgress }: ReadContext): AsyncGenerator<SourceFile> {
  const regions = new Map<string, string>();
  for await (const { path, value } of readJson(openFile(index, onProgress), ['$.regions.*'])) {
    const { regionCode, currentVersionUrl } = fieldsOf(value);
    const code = textOf(regionCode) ?? '';
    const target = textOf(currentVersionUrl) ?? '';
    if (code !== path.at(-1) || !/^\/(?!\/)[\w./-]+$/.test(target) || target.includes('..')) {
      throw new SourceError(pathIn(index, ...path), 'the entry does not name a Region and a path on the same host');
    }
    if (book.regions.some((region) => region.code === code)) regions.set(code, target);
  }
  if (regions.size === 0) throw new SourceError(index, 'the index has no Region of the price book');
  for (const [expectedRegion, target] of regions) {
    yield { ...openFile(new URL(target, index).href, onProgress), expectedRegion };
  }
}

interface Header {
  service: PriceLineId['service'];
  published: string;
}

const paths = ['$.formatVersion', '$.offerCode', '$.publicationDate', '$.products.*', '$.terms.OnDemand.*'];

/** Reads an offer, unless it is of a service that is not read. */
export async function readAwsOffer(file: SourceFile, reading: SourceReading, context: ReadContext): Promise<void> {
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
    const { service, published } = header;
    if (!context.only.includes(service)) return;
    if (part === 'products') {
      const { productFamily, attributes } = fieldsOf(value);
      const product = fieldsOf(attributes) as Record<string, string>;
      const found = classifyProduct(service, textOf(productFamily) ?? '', product, context.book);
      const sku = keys[0] ?? '';
      if (lines.has(sku)) throw repeatedKey(pathIn(file.name, ...path));
      if (found.type === 'price') lines.set(sku, found.line);
      else if (found.type === 'unmapped') reading.listUnmapped(found.name, pathIn(file.name, ...path));
      else reading.leaveOut(found.reason);
      continue;
    }
    const sku = keys[1] ?? '';
    const line = lines.get(sku);
    if (line === undefined) continue;
    if (priced.has(sku)) throw repeatedKey(pathIn(file.name, ...path));
    priced.add(sku);
    readTerms(value, line, { file, path, published, reading, context });
  }
  if (header === undefined) throw new SourceError(file.name, 'the file has no products');
  if (priced.size === 0 && lines.size > 0) throw new SourceError(file.name, `the file has no ${header.service} prices`);
  for (const sku of lines.keys()) if (!priced.has(sku)) reading.leaveOut('no on-demand price');
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

interface Place {
  file: SourceFile;
  path: string[];
  published: string;
  reading: SourceReading;
  context: ReadContext;
}

function readTerms(terms: unknown, line: PriceLineId, place: Place): void {
  const { reading } = place;
  for (const [termCode, term] of Object.entries(fieldsOf(terms))) {
    const { effectiveDate, priceDimensions } = fieldsOf(term);
    for (const [rateCode, dimension] of Object.entries(fieldsOf(priceDimensions))) {
      const where = pathIn(place.file.name, ...place.path, termCode, 'priceDimensions', rateCode);
      try {
        const point = toPoint(fieldsOf(dimension), line, dayOf(effectiveDate), where, place);
        if (point) reading.points.push(point);
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        const { message: reason } = error;
        if (error instanceof UnusablePrice) reading.unusable.push({ line, reason, where });
        else reading.refusals.push({ reason, where });
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

/**
 * @returns undefined for a price that the service does not use.
 * @throws RangeError that says why the file must not be used, or UnusablePrice.
 */
function toPoint(
  { unit, description, pricePerUnit, beginRange, endRange }: Record<string, unknown>,
  line: PriceLineId,
  effectiveDate: string | null,
  where: string,
  { file, published, reading, context: { book } }: Place,
): PricePoint | undefined {
  const prices = fieldsOf(pricePerUnit);
  const usd = prices['USD'];
  const [currency = 'USD'] = Object.keys(prices);
  if (usd === undefined && partitionOf(line.scope) === 'aws-cn') {
    reading.leaveOut(`price in ${currency}`);
    return undefined;
  }
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
    reading.listUnmapped(`Region ${line.scope}`, where);
    return undefined;
  }
  const units = unitPower(line, textOf(unit) ?? '', textOf(description) ?? '');
  if (units === undefined) {
    reading.listUnmapped(`unit "${String(unit)}" of ${line.item}`, where);
    return undefined;
  }
  return {
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
