import { randomUUID } from 'node:crypto';
import Joi from 'joi';
import {
  type BackendClient,
  type BodyReader,
  createLargeResponseSlot,
  notJson,
  validateResponse,
} from './backend-client.ts';
import { contentsPath } from './jupyter-contents.ts';
import { type NotebookFileParts, NotebookFileScanner, sliceChunks } from './jupyter-search.ts';
import type { BackendCall } from './notebook-backend.ts';
import { NotebookAbsent, UpstreamError } from './upstream-error.ts';

const mebibyte = 1024 * 1024;
/** Outputs of cells, such as images, can be large. */
const maxFileBytes = 64 * mebibyte;
/** A notebook above this size waits until no other is in memory. */
const largeResponseBytes = 1 * mebibyte;
const maxMetadataBytes = 1 * mebibyte;

/** The metadata of a file. One that Jupyter created can lack all of them. */
export interface Metadata {
  title?: string;
  description?: string | null;
  meterbook?: { id?: string };
}

/** A notebook file. All parts except the metadata are written back unchanged. */
interface NotebookFile {
  metadata: Metadata;
  parts: NotebookFileParts;
}

const notebookMetadata = Joi.object<Metadata>({
  title: Joi.string(),
  description: Joi.string().allow('', null),
  meterbook: Joi.object({ id: Joi.string() }),
})
  .required()
  .label('content.metadata');

/** Reads and changes the metadata of notebook files. */
interface JupyterFiles {
  /** @returns the id of the notebook in a file, if it has one. */
  readId(path: string, call: BackendCall): Promise<string | undefined>;
  /**
   * @throws NotebookAbsent if the file is absent, or contains another notebook than that with the
   * id.
   */
  read(path: string, id: string, call: BackendCall): Promise<Metadata>;
  /** Like `read`, and writes the changed metadata back. */
  update(path: string, id: string, changes: Metadata, call: BackendCall): Promise<Metadata>;
}

export function jupyterFiles(client: BackendClient, secrets: readonly string[]): JupyterFiles {
  const json = losslessJson();
  const largeResponses = createLargeResponseSlot();

  /** Reads a notebook file. Its cells are passed to `keep` and not stored. */
  const readFile = (path: string, call: BackendCall, keep: (chunk: Buffer) => Promise<void>): Promise<NotebookFile> => {
    const readParts: BodyReader<NotebookFile> = async (body) => {
      const scanner = new NotebookFileScanner(maxMetadataBytes);
      for await (const chunk of body) {
        scan(() => scanner.push(chunk));
        await keep(chunk);
      }
      const parts = scan(() => scanner.finish());
      const stored = parts && scan(() => json.parse(parts.metadataJson));
      const metadata = validateResponse(stored, notebookMetadata, secrets);
      return { metadata, parts: parts as NotebookFileParts };
    };
    const request = {
      method: 'GET' as const,
      path: contentsPath(path, '?type=notebook&content=1'),
      isNotebookPath: true,
      maxResponseBytes: maxFileBytes,
    };
    return client.stream(request, readParts, call);
  };

  const readOwnFile = async (path: string, id: string, call: BackendCall, keep = discardChunk) => {
    const file = await readFile(path, call, keep);
    if (file.metadata.meterbook?.id !== id) throw new NotebookAbsent('the file contains another notebook');
    return file;
  };

  return {
    readId: async (path, call) => (await readFile(path, call, discardChunk)).metadata.meterbook?.id,
    read: async (path, id, call) => (await readOwnFile(path, id, call)).metadata,
    update: async (path, id, changes, call) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      let release: (() => void) | undefined;
      try {
        const { metadata, parts } = await readOwnFile(path, id, call, async (chunk) => {
          chunks.push(chunk);
          bytes += chunk.length;
          if (bytes > largeResponseBytes) release ??= await largeResponses.acquire(call.signal);
        });
        const changed = { ...metadata, ...changes, meterbook: { ...metadata.meterbook, id } };
        const rawBody = [
          Buffer.from('{"type":"notebook","format":"json","content":'),
          ...sliceChunks(chunks, { start: parts.content.start, end: parts.metadata.start }),
          Buffer.from(json.stringify(changed)),
          ...sliceChunks(chunks, { start: parts.metadata.end, end: parts.content.end }),
          Buffer.from('}'),
        ];
        await client.send({ method: 'PUT', path: contentsPath(path), rawBody }, call);
        return changed;
      } finally {
        release?.();
      }
    },
  };
}

const discardChunk = async (_chunk: Buffer): Promise<void> => {};

function scan<T>(step: () => T): T {
  try {
    return step();
  } catch (error) {
    if (!(error instanceof RangeError)) throw notJson(error);
    throw new UpstreamError({ reason: 'the metadata of the notebook are too long', retryable: false, cause: error });
  }
}

// Names of notebook files, made of titles. A name is valid on Linux, macOS and Windows, and shown
// by Jupyter.

/**
 * Bytes of UTF-8. File systems allow 255, encrypted ones 143; Jupyter adds up to 19 to the name
 * (`.ipynb`, `-checkpoint`, `.~`) and this service up to 11.
 */
const maxNameBytes = 110;
const fallbackName = 'Notebook';

/**
 * Controls, lone surrogates, line separators, zero-width space, byte order mark, and marks that
 * change the direction.
 */
const invisible = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+/gu;
const separators = /[/\\:|]+/g;
const reservedCharacters = /[*?"<>]+/g;
/** Windows opens devices by these names, whatever follows the first dot. */
const deviceName = /^(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³]|conin\$|conout\$) *(?:\.|$)/i;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * The names that this service gives to a notebook file, the preferred one first. The second
 * contains a part of the id.
 */
export function fileNamesOf(title: string, id: string): readonly [string, string] {
  const name = fileNameStem(title);
  return [`${name}.ipynb`, `${name} (${id.slice(0, 8)}).ipynb`];
}

/** The name of a new file before it is named after its title. */
export const fileNameOfId = (id: string): string => `${id}.ipynb`;

function fileNameStem(title: string): string {
  const characters = title
    .normalize('NFC')
    .replaceAll(invisible, ' ')
    .replaceAll(separators, '-')
    .replaceAll(reservedCharacters, '')
    .replaceAll(/\s+/g, ' ')
    .replace(/(?:\.ipynb)+\s*$/i, '');
  const name = trimEnds(truncate(trimEnds(characters)));
  if (name === '') return fallbackName;
  return deviceName.test(name) ? `_${name}` : name;
}

/**
 * Files that begin with a dot are hidden, and a dash begins an option; Windows removes dots and
 * blanks at the end.
 */
const trimEnds = (name: string) => name.replaceAll(/^[\s.-]+|[\s.]+$/g, '');

/** Cuts between characters as people see them, so that no emoji loses a part. */
function truncate(name: string): string {
  let kept = '';
  let bytes = 0;
  for (const { segment } of graphemes.segment(name)) {
    bytes += Buffer.byteLength(segment);
    if (bytes > maxNameBytes) break;
    kept += segment;
  }
  return kept;
}

/** Parses and serializes JSON. */
interface JsonCodec {
  parse(text: string): unknown;
  stringify(value: unknown): string;
}

/**
 * The numbers of JSON, and NaN and Infinity, which Python writes. Malformed numbers do not match,
 * so the parser rejects them.
 */
const numbers = /(?<![\w.+-])(?:-?(?:(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|Infinity)|NaN)(?![\w.+-])/g;

/**
 * Creates a codec for documents that are read and written back. Every number keeps its spelling:
 * large integers keep all digits, `1.0` stays `1.0`. A number that JavaScript would spell
 * differently is parsed as an opaque object.
 */
export function losslessJson(): JsonCodec {
  // The marker is random, so that no text of a document begins with it.
  const marker = `${randomUUID().slice(-12)} `;
  const markedNumber = new RegExp(`"${marker}([^"]*)"`, 'g');
  const markNumber = (number: string) => (JSON.stringify(Number(number)) === number ? number : `"${marker}${number}"`);
  const toOpaqueObject = (_key: string, value: unknown) =>
    typeof value === 'string' && value.startsWith(marker) ? { toJSON: () => value } : value;
  return {
    parse: (text) =>
      JSON.parse(
        replaceOutsideStrings(text, (part) => part.replaceAll(numbers, markNumber)),
        toOpaqueObject,
      ),
    stringify: (value) => JSON.stringify(value).replaceAll(markedNumber, '$1'),
  };
}

/**
 * Replaces the parts between string literals. A regular expression is not used, because it would
 * overflow the stack on long strings.
 */
function replaceOutsideStrings(json: string, replace: (part: string) => string): string {
  const parts: string[] = [];
  let from = 0;
  for (;;) {
    const open = json.indexOf('"', from);
    const close = open < 0 ? -1 : findClosingQuote(json, open);
    if (close < 0) return [...parts, replace(json.slice(from))].join('');
    parts.push(replace(json.slice(from, open)), json.slice(open, close + 1));
    from = close + 1;
  }
}

function findClosingQuote(json: string, open: number): number {
  let close = json.indexOf('"', open + 1);
  while (close >= 0 && isEscaped(json, close)) close = json.indexOf('"', close + 1);
  return close;
}

/**
 * Whether an odd number of backslashes precedes `at`. An even number is a sequence of escaped
 * backslashes.
 */
function isEscaped(json: string, at: number): boolean {
  let before = at;
  while (json[before - 1] === '\\') before -= 1;
  return (at - before) % 2 === 1;
}
