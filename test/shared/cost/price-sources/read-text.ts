import { readFileSync } from 'node:fs';
import { checkPriceBookFile, type PriceBookFile } from '../../../../shared/cost/price-book-file.ts';
import type { PricePoint, SourceEntry, SourceReader } from '../../../../shared/cost/price-sources/price-point.ts';

/** The price book of the code, which each test may change. */
export function bookFile(): PriceBookFile {
  const url = new URL('../../../../shared/cost/price-book.json', import.meta.url);
  return checkPriceBookFile(JSON.parse(readFileSync(url, 'utf8')));
}

export const today = '2026-11-23';

/** Reads a text as a file, in chunks that split words and numbers. */
export async function readText(reader: SourceReader, text: string, book = bookFile()): Promise<SourceEntry[]> {
  const entries: SourceEntry[] = [];
  for await (const entry of reader({ name: 'file.json', bytes: inChunks(text, 61) }, book)) entries.push(entry);
  return entries;
}

async function* inChunks(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

export const pointsOf = (entries: readonly SourceEntry[]): PricePoint[] =>
  entries.filter((entry) => entry.type === 'price');

/** `eu-west-1 standard request 0-100: 0.4` for each price. */
export const shortPoints = (entries: readonly SourceEntry[]): string[] =>
  pointsOf(entries).map(({ scope, item, kind, from, to, amount }) => {
    const tier = from === 0n && to === null ? '' : ` ${from}-${to ?? ''}`;
    return `${scope} ${item} ${kind}${tier}: ${amount}`;
  });

/** The reasons and names of everything that is not a price. */
export const othersOf = (entries: readonly SourceEntry[]): string[] =>
  entries.flatMap((entry) => {
    if (entry.type === 'price' || entry.type === 'book') return [];
    return [`${entry.type}: ${entry.type === 'unmapped' ? entry.name : entry.reason}`];
  });
