// Reads logs piece by piece in threads. The pieces are merged in their order, so that the result
// does not depend on the threads.
import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { extname } from 'node:path';
import { readTokenRanks } from '../../../shared/metering/token-ranks.ts';
import { createThreadPool } from '../../../shared/process/thread-pool.ts';
import { applyDefaults } from '../../../shared/scenarios/assumptions.ts';
import { BatchSums } from '../../../shared/usage/stored-hour.ts';
import { GroupTally } from './groups.ts';
import type { Input } from './inputs.ts';
import { cutPieces, type Piece } from './pieces.ts';
import { createPieceProcessor, type PieceResult, type PieceTerms, type PiiRow, type Unread } from './process-piece.ts';

export type ReadingTerms = Omit<PieceTerms, 'tokenRanks'>;

interface ReadInput {
  name: string;
  /** Entries that are counted. */
  entries: number;
  rejected: number;
  skipped: number;
  /** The first rejected entries. */
  errors: Unread[];
  /** Parts that are not log entries as a whole. */
  refused: string[];
}

export interface LogReading {
  inputs: ReadInput[];
  usage: BatchSums;
  groups: GroupTally;
  pii: PiiRow[];
}

interface ReadingOptions {
  threads?: number | undefined;
  onRead?: (bytes: number) => void;
}

/** The copies of the terms in threads take memory, and more threads than these are not faster. */
const maxThreads = 8;
/** A thread starts in the time that so many bytes take. */
const fewBytes = 512 * 1024;
const maxErrors = 5;
const maxPiiRows = 500;

/** @throws CommandError for a log that cannot be read. */
export async function readLogs(
  inputs: readonly Input[],
  terms: ReadingTerms,
  { threads = Math.min(maxThreads, availableParallelism()), onRead = () => {} }: ReadingOptions = {},
): Promise<LogReading> {
  const reading: LogReading = {
    inputs: [],
    usage: new BatchSums(),
    groups: new GroupTally(applyDefaults(terms.assumptions)),
    pii: [],
  };
  const rows = new Map<string, PiiRow>();
  const isShort = inputs.every(({ bytes = Infinity }) => bytes <= fewBytes) && inputs.length <= 2;
  const processor = createProcessor({ ...terms, tokenRanks: readRanks() }, isShort ? 0 : threads);
  try {
    for (const input of inputs) {
      const read: ReadInput = { name: input.name, entries: 0, rejected: 0, skipped: 0, errors: [], refused: [] };
      reading.inputs.push(read);
      const pending: Promise<PieceResult>[] = [];
      const mergeFirst = async () => mergePiece(await (pending.shift() as Promise<PieceResult>), read, reading, rows);
      for await (const piece of cutPieces(input.open(onRead))) {
        const result = processor.run(piece);
        // It is awaited later.
        result.catch(() => {});
        pending.push(result);
        if (pending.length > threads) await mergeFirst();
      }
      while (pending.length > 0) await mergeFirst();
    }
  } finally {
    // Idle threads do not keep the process alive, and neither would their end.
    void processor.close();
  }
  reading.pii = [...rows.values()];
  return reading;
}

/** The list that the package has, or that of the library. */
function readRanks() {
  const file = new URL('./o200k_base.tiktoken', import.meta.url);
  return existsSync(file) ? readTokenRanks(readFileSync(file)) : readTokenRanks();
}

function createProcessor(terms: PieceTerms, threads: number) {
  if (threads === 0) return { run: createPieceProcessor(terms), close: async () => {} };
  const file = new URL(`./piece-thread${extname(import.meta.url)}`, import.meta.url);
  const pool = createThreadPool<Omit<Piece, 'bytes'> & { bytes: Uint8Array }, PieceResult>({
    file,
    data: terms,
    size: threads,
    maxHeapMb: 64,
    youngHeapMb: 16,
  });
  return {
    // A copy, because a view would be sent with all of its buffer.
    run: ({ bytes, form }: Piece) => pool.run({ bytes: new Uint8Array(bytes), form }),
    close: () => pool.close(),
  };
}

function mergePiece(piece: PieceResult, read: ReadInput, reading: LogReading, rows: Map<string, PiiRow>): void {
  const before = read.entries + read.rejected + read.skipped;
  for (const { entry, error } of piece.errors) {
    if (read.errors.length < maxErrors) read.errors.push({ entry: before + entry, error });
  }
  read.entries += piece.accepted;
  read.rejected += piece.rejected;
  read.skipped += piece.skipped;
  if (piece.refused !== undefined) read.refused.push(piece.refused);
  for (const hour of piece.usage) reading.usage.add(hour);
  reading.groups.merge(piece.groups);
  for (const row of piece.pii) {
    // Names of fields can be data.
    const field = rows.size < maxPiiRows ? row.field : 'other fields';
    const key = `${row.type} ${row.country} ${field}`;
    const sum = rows.get(key);
    if (!sum) rows.set(key, { ...row, field });
    else {
      sum.findings += row.findings;
      sum.entries += row.entries;
    }
  }
}
