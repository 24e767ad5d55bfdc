import { createPriceBook } from '../load-price-book.ts';
import { newestDay } from '../newest-day.ts';
import { checkPriceBookFile, type PriceBookFile } from '../price-book-file.ts';
import { versionOf } from '../price-book-version.ts';
import { bookLines } from '../price-changes/book-lines.ts';
import { partitionOf } from './partitions.ts';
import { type SourceEntry, SourceError, type SourceFile } from './price-point.ts';

/** A price book has less than 0.1 MB. */
const maxBytes = 16 * 1024 * 1024;

/** Reads the price book of another installation. */
export async function* readBook(file: SourceFile, current: PriceBookFile): AsyncGenerator<SourceEntry> {
  const other = await parseBook(file);
  yield { type: 'book', book: other };
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
  for (const [key, { steps, isComplete: _isComplete, evidenceDate, ...line }] of bookLines(other)) {
    for (const step of steps) {
      const dates = { effectiveDate: null, evidenceDate };
      yield { type: 'price', ...line, ...step, ...dates, where: `${file.name}: ${key}` };
    }
  }
}

async function parseBook(file: SourceFile): Promise<PriceBookFile> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of file.bytes) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new SourceError(file.name, `the file has more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  try {
    const content: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    createPriceBook(content);
    return checkPriceBookFile(content);
  } catch (error) {
    throw new SourceError(file.name, `the file is not a price book: ${(error as Error).message}`, { cause: error });
  }
}
