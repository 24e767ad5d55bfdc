import { readFileSync } from 'node:fs';
import { checkPriceBookFile, type PriceBookFile } from '../../../../shared/cost/price-book-file.ts';
import { services } from '../../../../shared/cost/price-line.ts';
import {
  type PricePoint,
  type ReadContext,
  type SourceFile,
  SourceReading,
} from '../../../../shared/cost/refresh/source-file.ts';

/** The price book of the code, which each test may change. */
export function bookFile(): PriceBookFile {
  const url = new URL('../../../../shared/cost/price-book.json', import.meta.url);
  return checkPriceBookFile(JSON.parse(readFileSync(url, 'utf8')));
}

export const today = '2026-11-23';

type Reader = (file: SourceFile, reading: SourceReading, context: ReadContext) => Promise<void>;

/** Reads a text as a file, in chunks that split words and numbers. */
export async function readText(reader: Reader, text: string): Promise<SourceReading> {
  const reading = new SourceReading();
  const file = { name: 'file.json', bytes: inChunks(text, 61) };
  await reader(file, reading, { book: bookFile(), only: services, onProgress: () => undefined });
  return reading;
}

async function* inChunks(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** `eu-west-1 standard request 0-100: 0.4` for each price. */
export const shortPoints = (points: readonly PricePoint[]): string[] =>
  points.map(({ scope, item, kind, from, to, amount }) => {
    const tier = from === 0n && to === null ? '' : ` ${from}-${to ?? ''}`;
    return `${scope} ${item} ${kind}${tier}: ${amount}`;
  });

/** The reasons and names of everything that is not a price. */
export const othersOf = ({ leftOut, unmapped }: SourceReading): string[] => [
  ...Array.from(leftOut, ([reason, count]) => `left-out: ${count} × ${reason}`),
  ...Array.from(unmapped.keys(), (name) => `unmapped: ${name}`),
];
