import { readBookOfCode } from '../../../../shared/cost/price-book.ts';
import type { PriceBookFile } from '../../../../shared/cost/price-book-file.ts';
import { services } from '../../../../shared/cost/price-line.ts';
import { type PlannedChange, type PricePlan, planChanges } from '../../../../shared/cost/refresh/plan-changes.ts';
import {
  type PricePoint,
  type ReadContext,
  type SourceFile,
  SourceReading,
} from '../../../../shared/cost/refresh/source-file.ts';

/** The price book of the code, which each test may change. */
export const bookFile = (): PriceBookFile => structuredClone(readBookOfCode());

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

/** A price of Nova Micro in Ireland per 1,000 input tokens; the book has 0.00004. */
export const novaInput = (change: Partial<PricePoint> = {}): PricePoint => ({
  service: 'inference',
  scope: 'eu-west-1',
  item: 'amazon.nova-micro-v1:0',
  kind: 'input',
  amount: '0.00005',
  from: 0n,
  to: null,
  effectiveDate: '2026-10-01',
  evidenceDate: '2026-11-01',
  where: 'file.json: $.price',
  ...change,
});

/** A tier of queue requests in us-east-1, in billions. */
export const queueTier = (
  from: number,
  to: number | null,
  amount: string,
  change: Partial<PricePoint> = {},
): PricePoint =>
  novaInput({
    service: 'queue',
    scope: 'us-east-1',
    item: 'standard',
    kind: 'request',
    amount,
    from: BigInt(from * 1e9),
    to: to === null ? null : BigInt(to * 1e9),
    where: `file.json: $.from${from}`,
    ...change,
  });

/** The plan of prices of the vendor. */
export const plan = (
  points: PricePoint[],
  { book = bookFile(), ...options }: { book?: PriceBookFile } & Partial<Parameters<typeof planChanges>[2]> = {},
): PricePlan => planChanges(book, { points, unusable: [], refusals: [] }, { today, ...options });

/** `change eu-west-1 input: 0.00004 -> 0.00005 (+25.00)`. */
export const shortChanges = (changes: readonly PlannedChange[]): string[] =>
  changes.map(
    ({ type, scope, kind, old, new: now, percent }) => `${type} ${scope} ${kind}: ${old} -> ${now} (${percent})`,
  );
