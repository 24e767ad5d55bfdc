import { createPriceBook } from '../load-price-book.ts';
import { checkPriceBookFile, type PriceBookFile } from '../price-book-file.ts';
import { versionOf } from '../price-book-version.ts';
import { bookLines } from '../price-changes/book-lines.ts';
import { newestDay } from '../price-evidence.ts';
import { bookUnit, type InferenceKind, inferenceKinds, type PriceLineId } from '../price-line.ts';
import { partitionOf } from './partitions.ts';
import { type SourceEntry, SourceError, type SourceFile } from './price-point.ts';
import { checkKeys, fieldsOf, pathIn, textOf } from './read-json.ts';
import { shiftDecimal } from './shift-decimal.ts';

/** A price book has less than 0.2 MB. */
const maxBytes = 16 * 1024 * 1024;

/** Reads the price book of another installation. */
export async function* readBook(file: SourceFile, current: PriceBookFile): AsyncGenerator<SourceEntry> {
  const { book: other, unusable } = await parseBook(file, current);
  yield { type: 'book', book: other };
  yield* unusable;
  const where = `${file.name}: $.as_of`;
  const older = (newestDay(other.as_of) ?? '') < (newestDay(current.as_of) ?? '');
  if (older)
    yield { type: 'refused', reason: `version ${versionOf(other)} is older than ${versionOf(current)}`, where };
  for (const [index, { code, partition }] of other.regions.entries()) {
    const expected = current.regions.find((region) => region.code === code)?.partition ?? partitionOf(code);
    if (partition !== expected) {
      const reason = `Region ${code} is of partition ${expected}, not of ${partition}`;
      yield { type: 'refused', reason, where: `${file.name}: $.regions.${index}` };
    }
  }
  const makers = new Map(other.inference.models.map(({ id, provider }) => [id, provider]));
  for (const [key, { steps, isComplete: _isComplete, evidenceDate, ...line }] of bookLines(other)) {
    const maker = makers.get(line.item);
    const common = { ...line, effectiveDate: null, evidenceDate, where: `${file.name}: ${key}` };
    for (const step of steps) yield { type: 'price', ...common, ...step, ...(maker !== undefined && { maker }) };
  }
}

type Unusable = Extract<SourceEntry, { type: 'unusable' }>;

async function parseBook(
  file: SourceFile,
  current: PriceBookFile,
): Promise<{ book: PriceBookFile; unusable: Unusable[] }> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of file.bytes) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new SourceError(file.name, `the file has more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  try {
    const text = Buffer.concat(chunks).toString('utf8');
    const content: unknown = JSON.parse(text);
    checkKeys(file.name, text);
    const unusable = [...replaceUnusable(file.name, content, current)];
    createPriceBook(content);
    return { book: checkPriceBookFile(content), unusable };
  } catch (error) {
    if (error instanceof SourceError) throw error;
    throw new SourceError(file.name, `the file is not a price book: ${(error as Error).message}`, { cause: error });
  }
}

/**
 * Replaces the prices that cannot be read by those of the present book. One that it does not have
 * is removed, with those that a book cannot have without it.
 */
function* replaceUnusable(name: string, content: unknown, current: PriceBookFile): Generator<Unusable> {
  const { queue, function: functions, inference } = fieldsOf(content);
  for (const [scope, region] of Object.entries(fieldsOf(fieldsOf(queue)['regions']))) {
    for (const item of ['standard', 'fifo'] as const) {
      const line = { service: 'queue', scope, item, kind: 'request' } as const;
      const { tiers } = fieldsOf(fieldsOf(region)[item]);
      const prices = Array.isArray(tiers) ? tiers.map((tier) => fieldsOf(tier)['price_per_million']) : [];
      const reason = findFault(prices, line);
      if (reason === undefined) continue;
      replace(fieldsOf(region), item, current.queue.regions[scope]?.[item]);
      yield { type: 'unusable', line, reason, where: pathIn(name, 'queue', 'regions', scope, item) };
    }
  }
  const regions = fieldsOf(fieldsOf(functions)['regions']);
  for (const [scope, region] of Object.entries(regions)) {
    const own = current.function.regions[scope];
    for (const [field, item, kind] of functionFields) {
      const line = { service: 'function', scope, item, kind } as const;
      const reason = findFault([fieldsOf(region)[field]].flat(), line);
      if (reason === undefined) continue;
      if (own) replace(fieldsOf(region), field, own[field]);
      else delete regions[scope];
      yield { type: 'unusable', line, reason, where: pathIn(name, 'function', 'regions', scope, field) };
    }
  }
  const { models } = fieldsOf(inference);
  for (const [index, model] of (Array.isArray(models) ? models : []).entries()) {
    const { id, prices: scopes } = fieldsOf(model);
    const item = textOf(id) ?? '';
    const own = current.inference.models.find((known) => known.id === item);
    for (const [scope, prices] of Object.entries(fieldsOf(scopes))) {
      const fields = fieldsOf(prices);
      const lineOf = (kind: InferenceKind) => ({ service: 'inference', scope, item, kind }) as const;
      for (const faulty of inferenceKinds) {
        const reason = findFault([fields[`${faulty}_per_1k`]], lineOf(faulty));
        if (reason === undefined) continue;
        const where = pathIn(name, 'inference', 'models', String(index), 'prices', scope, `${faulty}_per_1k`);
        const amount = own?.prices[scope]?.[`${faulty}_per_1k`];
        replace(fields, `${faulty}_per_1k`, amount);
        yield { type: 'unusable', line: lineOf(faulty), reason, where };
        if (amount !== undefined) continue;
        for (const kind of inferenceKinds.filter((other) => needs(other, faulty) && `${other}_per_1k` in fields)) {
          delete fields[`${kind}_per_1k`];
          yield { type: 'unusable', line: lineOf(kind), reason, where };
        }
      }
      if (Object.keys(fields).length === 0) delete fieldsOf(scopes)[scope];
    }
  }
}

const functionFields = [
  ['request_price_per_million', 'requests', 'request'],
  ['x86_64_prices_per_gb_second', 'x86_64', 'gb_second'],
  ['arm64_prices_per_gb_second', 'arm64', 'gb_second'],
] as const;

function replace(fields: Record<string, unknown>, key: string, value: unknown): void {
  if (value === undefined) delete fields[key];
  else fields[key] = value;
}

/** Whether a book cannot have a price without the other. */
function needs(kind: InferenceKind, other: InferenceKind): boolean {
  if (other === 'input' || other === 'output') return true;
  if (other === 'long_input' || other === 'long_output') return kind.startsWith('long_');
  return kind === other || (other.startsWith('batch_') && kind.startsWith('batch_'));
}

/** Why one of the prices cannot be read; undefined if all can. */
function findFault(prices: readonly unknown[], line: PriceLineId): string | undefined {
  try {
    for (const price of prices.filter((value) => value !== undefined)) {
      // A number in JSON is not exact.
      if (typeof price !== 'string') throw new RangeError(`${JSON.stringify(price)} is not a price as decimal text`);
      shiftDecimal(price, 0, bookUnit(line).maxDecimals);
    }
    return undefined;
  } catch (error) {
    if (error instanceof RangeError) return error.message;
    throw error;
  }
}
