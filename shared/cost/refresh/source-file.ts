// The prices that a source has, and its files and addresses. Their JSON is read in constant memory.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { JSONParser, TokenType } from '@streamparser/json';
import type { Step } from '../book-lines.ts';
import type { PriceBookFile } from '../price-book-file.ts';
import type { PriceLineId, Service } from '../price-line.ts';

/** A file of a source, read once. */
export interface SourceFile {
  name: string;
  bytes: AsyncIterable<Uint8Array>;
  /** The Region whose prices the vendor's index promises in this file. */
  expectedRegion?: string;
}

/** A source that cannot be read to its end. Nothing of it may be used. */
export class SourceError extends Error {
  readonly where: string;

  constructor(where: string, reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.name = 'SourceError';
    this.where = where;
  }
}

export const isAddress = (location: string): boolean => /^https?:\/\//i.test(location);

/**
 * Is called after each chunk of a file.
 * @param read the bytes so far.
 * @param total the bytes of the whole file; null if unknown.
 */
export type OnProgress = (name: string, read: number, total: number | null) => void;

/** `aws` is the vendor's price list; `book` is the book of another installation. */
export type SourceKind = 'aws' | 'book';

/** One price of a source, in the unit of the price book. */
export interface PricePoint extends PriceLineId, Step {
  /** The day from which the price applies, if the source tells it. */
  effectiveDate: string | null;
  /** The day on which the source was published or last checked, if it tells. */
  evidenceDate: string | null;
  /** File and JSON path, for messages. */
  where: string;
}

export interface Refusal {
  reason: string;
  /** File and JSON path. */
  where: string;
}

/** A price that is not used, with the reason: the book keeps its own, if it has one. */
export interface UnusedPrice extends Refusal {
  line: PriceLineId;
}

/** Everything that a source says. */
export class SourceReading {
  readonly points: PricePoint[] = [];
  /** If there is one, nothing of the source may be used. */
  readonly refusals: Refusal[] = [];
  /** The prices that cannot be read: they are not used, nor are the other tiers of their lines. */
  readonly unusable: UnusedPrice[] = [];
  /** The unknown models, kinds, units and Regions with the place of their first price. */
  readonly unmapped = new Map<string, string>();
  /** The number of prices of a kind that the service does not use, by reason. */
  readonly leftOut = new Map<string, number>();
  /** The price book of another installation. */
  book?: PriceBookFile;

  leaveOut(reason: string): void {
    this.leftOut.set(reason, (this.leftOut.get(reason) ?? 0) + 1);
  }

  listUnmapped(name: string, where: string): void {
    if (!this.unmapped.has(name)) this.unmapped.set(name, where);
  }
}

/** The terms of reading a source. */
export interface ReadContext {
  /** The present book. */
  book: PriceBookFile;
  /** The services whose prices are read. */
  only: readonly Service[];
  onProgress: OnProgress;
}

/** Opens a file or an address. Reading begins when the caller iterates over the bytes. */
export const openFile = (name: string, onProgress: OnProgress): SourceFile => ({
  name,
  bytes: readBytes(name, onProgress),
});

async function* readBytes(name: string, onProgress: OnProgress): AsyncGenerator<Uint8Array> {
  try {
    const { total, chunks } = isAddress(name)
      ? await download(name)
      : { total: (await stat(name)).size, chunks: createReadStream(name) };
    let read = 0;
    for await (const chunk of chunks as AsyncIterable<Uint8Array>) {
      read += chunk.length;
      onProgress(name, read, total);
      yield chunk;
    }
  } catch (error) {
    const { message, cause } = error as Error;
    const reason = cause instanceof Error ? `${message}: ${cause.message}` : message;
    throw new SourceError(name, `the file cannot be read: ${reason}`, { cause: error });
  }
}

async function download(address: string) {
  const response = await fetch(address);
  if (!response.ok || response.body === null) throw new Error(`the server responds with ${response.status}`);
  // The length of a compressed response is not that of the bytes that are read.
  const length = response.headers.has('content-encoding') ? null : response.headers.get('content-length');
  return { total: length === null ? null : Number(length), chunks: response.body };
}

interface JsonValue {
  /** The keys from the root to the value. */
  path: string[];
  value: unknown;
}

/**
 * Reads the values at `paths` (`$.products.*`) of a JSON file, one after the other. Memory holds
 * one of them, not the file.
 * @throws SourceError if the file is not JSON, or ends early.
 */
export async function* readJson(file: SourceFile, paths: string[]): AsyncGenerator<JsonValue> {
  const found: JsonValue[] = [];
  const parser = new JSONParser({ paths, keepStack: false });
  parser.onToken = createKeyCheck();
  parser.onValue = ({ key, value, stack }) => {
    found.push({ path: [...stack.slice(1).map((level) => String(level.key)), String(key)], value });
  };
  for await (const chunk of file.bytes) {
    parse(file.name, () => parser.write(chunk));
    yield* found.splice(0);
  }
  if (!parser.isEnded) throw new SourceError(file.name, 'the file is truncated: its JSON does not end');
}

interface Level {
  /** The keys of an object so far; absent in an array. */
  keys?: Set<string>;
  /** The present key or index. */
  at: string | number;
  isKeyNext: boolean;
}

/** Larger objects are maps of products, whose repetition the reader of an offer finds. */
const maxKeys = 1_000;

class RepeatedKey extends Error {}

/** Checks the tokens of a JSON text, one after the other. Parsers would use either value. */
function createKeyCheck(): (token: { token: TokenType; value: unknown }) => void {
  const levels: Level[] = [];
  return ({ token, value }) => {
    const level = levels.at(-1);
    if (token === TokenType.LEFT_BRACE) levels.push({ keys: new Set(), at: '', isKeyNext: true });
    else if (token === TokenType.LEFT_BRACKET) levels.push({ at: 0, isKeyNext: false });
    else if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET) levels.pop();
    else if (token === TokenType.COMMA && level?.keys) level.isKeyNext = true;
    else if (token === TokenType.COMMA && typeof level?.at === 'number') level.at++;
    else if (token === TokenType.STRING && level?.keys && level.isKeyNext) {
      level.at = String(value);
      level.isKeyNext = false;
      if (level.keys.has(level.at)) throw new RepeatedKey(levels.map(({ at }) => at).join('.'));
      if (level.keys.size < maxKeys) level.keys.add(level.at);
    }
  };
}

function parse(name: string, step: () => void): void {
  try {
    step();
  } catch (error) {
    if (error instanceof RepeatedKey) throw repeatedKey(pathIn(name, error.message));
    throw new SourceError(name, `the file is malformed: ${(error as Error).message}`, { cause: error });
  }
}

export const repeatedKey = (where: string) => new SourceError(where, 'the file has this key twice');

/** A string of a file; undefined if the value is something else. Prices and limits are strings. */
export const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** A JSON path for messages: `index.json: $.products.ABC`. */
export const pathIn = (name: string, ...keys: string[]): string => `${name}: ${['$', ...keys].join('.')}`;
