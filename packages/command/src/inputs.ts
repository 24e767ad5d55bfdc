// Opens logs: files, names with wildcards, standard input; unpacked, and converted to UTF-8.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline, Readable } from 'node:stream';
import { TextDecoder } from 'node:util';
import zlib, { createGunzip } from 'node:zlib';
import { glob, hasMagic } from 'glob';
import { utf16Of } from '../../../shared/ingest/reading/body-form.ts';
import { CommandError } from './command-error.ts';
import { framingOf } from './otlp-file.ts';

export interface Input {
  readonly name: string;
  /** As stored; undefined of standard input. */
  readonly bytes: number | undefined;
  /** @param onRead gets the number of bytes of the file that have been read. */
  open(onRead: (bytes: number) => void): AsyncIterable<Buffer>;
}

const createZstd = (zlib as { createZstdDecompress?: typeof createGunzip }).createZstdDecompress;
/** Bytes that show whether a file is a log. */
const sampleBytes = 64 * 1024;

/** @throws CommandError for a file that cannot be read. */
export async function findInputs(names: readonly string[]): Promise<Input[]> {
  const inputs: Input[] = [];
  for (const name of names) {
    if (name === '-') inputs.push(inputOf('standard input', undefined, () => process.stdin));
    else for (const path of await pathsOf(name)) inputs.push(await inputOfFile(path));
  }
  return inputs;
}

async function pathsOf(name: string): Promise<string[]> {
  if (!hasMagic(name)) return [name];
  // A file can have such a name.
  const paths = (await stat(name).catch(() => null)) ? [name] : (await glob(name, { nodir: true })).sort();
  if (paths.length === 0) throw new CommandError(`No file matches ${name}.`);
  return paths;
}

async function inputOfFile(path: string): Promise<Input> {
  const found = await stat(path).catch((error: unknown) => {
    throw unreadable(path, error);
  });
  if (found.isDirectory()) throw new CommandError(`${path} is a directory: name its files, such as '${path}/*.log'.`);
  return inputOf(path, found.isFile() ? found.size : undefined, () =>
    createReadStream(path, { highWaterMark: 256 * 1024 }),
  );
}

const inputOf = (name: string, bytes: number | undefined, create: () => Readable): Input => ({
  name,
  bytes,
  open: (onRead) => readText(name, create(), onRead),
});

async function* readText(name: string, source: Readable, onRead: (bytes: number) => void): AsyncGenerator<Buffer> {
  let format = '';
  try {
    const chunks = counted(source, onRead);
    const { start, rest } = await peek(chunks);
    format = formatOf(start);
    if (format === 'zstd' && !createZstd) throw new CommandError(`${name} is packed by zstd: use Node 22.15 or later.`);
    const create = format === 'zstd' ? createZstd : format === 'gzip' ? createGunzip : undefined;
    const unpacked = create ? pipeline(Readable.from(rest, { objectMode: false }), create(), () => {}) : rest;
    yield* inUtf8(name, unpacked as AsyncIterable<Buffer>);
  } catch (error) {
    if (/^(?:Z_|ZSTD_|ERR_ZSTD)/.test(codeOf(error))) {
      throw new CommandError(`${name} is incomplete or damaged: its ${format} data ends early, or has errors.`);
    }
    throw error instanceof CommandError ? error : unreadable(name, error);
  } finally {
    source.destroy();
  }
}

async function* counted(source: Readable, onRead: (bytes: number) => void): AsyncGenerator<Buffer> {
  for await (const chunk of source as AsyncIterable<Buffer>) {
    onRead(chunk.length);
    yield chunk;
  }
}

/** Reads at least so many first bytes, if there are as many. @returns them, and all bytes. */
export async function peek(
  chunks: AsyncIterable<Buffer>,
  bytes = sampleBytes,
): Promise<{ start: Buffer; rest: AsyncGenerator<Buffer>; isComplete: boolean }> {
  const source = chunks[Symbol.asyncIterator]();
  const first: Buffer[] = [];
  let size = 0;
  let isComplete = false;
  while (size < bytes && !isComplete) {
    const next = await source.next();
    isComplete = next.done === true;
    if (next.done === true) break;
    first.push(next.value);
    size += next.value.length;
  }
  const start = Buffer.concat(first);
  async function* all() {
    if (size > 0) yield start;
    if (!isComplete) yield* { [Symbol.asyncIterator]: () => source };
  }
  return { start, rest: all(), isComplete };
}

function formatOf(start: Buffer): string {
  if (start[0] === 0x1f && start[1] === 0x8b) return 'gzip';
  return start.length >= 4 && start.readUInt32LE(0) === 0xfd2fb528 ? 'zstd' : '';
}

async function* inUtf8(name: string, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const { start, rest } = await peek(chunks);
  const isProtobuf = framingOf(start) !== undefined;
  const utf16 = isProtobuf ? null : utf16Of(start);
  if (!utf16) {
    if (!isProtobuf && isBinary(start)) throw new CommandError(`${name} is not a log: it is binary.`);
    yield* rest;
    return;
  }
  const decoder = new TextDecoder(utf16);
  for await (const chunk of rest) yield Buffer.from(decoder.decode(chunk, { stream: true }));
  const end = decoder.decode();
  if (end !== '') yield Buffer.from(end);
}

/** Logs have few bytes that are no text, such as those of a line that was written by half. */
function isBinary(start: Buffer): boolean {
  let controls = 0;
  for (const byte of start) if (byte < 9 || (byte > 13 && byte < 27)) controls += 1;
  return controls > 0.02 * start.length;
}

function unreadable(name: string, error: unknown): CommandError {
  const reasons: Record<string, string> = {
    ENOENT: 'does not exist',
    EACCES: 'cannot be read: permission denied',
    EPERM: 'cannot be read: permission denied',
  };
  return new CommandError(`${name} ${reasons[codeOf(error)] ?? `cannot be read: ${codeOf(error) || String(error)}`}.`);
}

export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String((error as NodeJS.ErrnoException).code) : '';
