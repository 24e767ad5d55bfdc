import Joi from 'joi';
import { membersOf, type TextRange } from '../../../shared/json/json-text.ts';
import { createSemaphore } from '../../../shared/process/semaphore.ts';
import type { BackendClient } from './backend-client.ts';
import { contentsPath } from './jupyter-contents.ts';
import type { BackendCall } from './notebook-backend.ts';
import { NotebookAbsent, UpstreamError } from './upstream-error.ts';

/** Outputs of cells, such as images, can be large. */
const maxFileBytes = 64 * 1024 * 1024;
/** Bounds the memory of notebook files. */
const maxFilesInMemory = 2;

/** The metadata of a file. One that Jupyter created can lack all of them. */
export interface Metadata {
  title?: string;
  description?: string | null;
  meterbook?: { id?: string };
}

const notebookMetadata = Joi.object<Metadata>({
  title: Joi.string(),
  description: Joi.string().allow('', null),
  meterbook: Joi.object({ id: Joi.string() }),
});

/** Reads and changes the metadata of notebook files. */
export function jupyterFiles(client: BackendClient) {
  const inTurn = createSemaphore(maxFilesInMemory);

  const readFile = async (path: string, call: BackendCall) => {
    const query = '?type=notebook&content=1';
    const request = { method: 'GET', path: contentsPath(path, query), isNotebookPath: true } as const;
    const text = await client.send({ ...request, maxResponseBytes: maxFileBytes }, call);
    try {
      const file = new NotebookFile(text);
      const [title, description, meterbook] = ['title', 'description', 'meterbook'].map((name) => file.metadata(name));
      return { file, metadata: client.validate({ title, description, meterbook }, notebookMetadata) };
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      throw new UpstreamError('its response is not JSON of a notebook file', { cause: error });
    }
  };

  /**
   * @throws NotebookAbsent if the file is absent, or contains another notebook than that with the
   * id.
   */
  const readOwnFile = async (path: string, id: string, call: BackendCall) => {
    const read = await readFile(path, call);
    if (read.metadata.meterbook?.id !== id) throw new NotebookAbsent('the file contains another notebook');
    return read;
  };

  return {
    /** @returns the id of the notebook in a file, if it has one. */
    readId: (path: string, call: BackendCall) =>
      inTurn(async () => (await readFile(path, call)).metadata.meterbook?.id),
    read: (path: string, id: string, call: BackendCall) =>
      inTurn(async () => (await readOwnFile(path, id, call)).metadata),
    /** Writes the changed metadata back. */
    update: (path: string, id: string, changes: Metadata, call: BackendCall): Promise<Metadata> =>
      inTurn(async () => {
        const { file, metadata } = await readOwnFile(path, id, call);
        const body = `{"type":"notebook","format":"json","content":${file.contentWith(changes)}}`;
        await client.send({ method: 'PUT', path: contentsPath(path), body }, call);
        return { ...metadata, ...changes };
      }),
  };
}

/**
 * The text of a notebook file, as Jupyter's Contents API sends it. Only the metadata are parsed,
 * and only their changed members are written: outputs of cells contain integers that JavaScript
 * would round, and `NaN`, which JSON does not have.
 */
export class NotebookFile {
  readonly #text: string;
  readonly #content: TextRange;
  readonly #metadata: TextRange;

  /** @throws SyntaxError for text that is not the JSON of a notebook. */
  constructor(text: string) {
    this.#text = text;
    this.#content = objectIn(text, { start: text.search(/\S/), end: text.length }, 'content');
    this.#metadata = objectIn(text, this.#content, 'metadata');
  }

  /** A member of the metadata; undefined if it is absent. @throws SyntaxError if it is not JSON. */
  metadata(name: string): unknown {
    const found = membersOf(this.#text, this.#metadata).get(name);
    return found && JSON.parse(this.#text.slice(found.start, found.end));
  }

  /** The JSON of the content, with changed members of the metadata. */
  contentWith(changes: object): string {
    const [text, content, metadata] = [this.#text, this.#content, this.#metadata];
    const kept = [...membersOf(text, metadata)].filter(([name]) => !Object.hasOwn(changes, name));
    const members = [
      ...kept.map(([name, { start, end }]) => `${JSON.stringify(name)}:${text.slice(start, end)}`),
      ...Object.entries(changes).map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`),
    ];
    const before = text.slice(content.start, metadata.start);
    return `${before}{${members.join(',')}}${text.slice(metadata.end, content.end)}`;
  }
}

/** The object that is a member of the object in the range. */
function objectIn(text: string, range: TextRange, name: string): TextRange {
  const found = text[range.start] === '{' ? membersOf(text, range).get(name) : undefined;
  if (!found || text[found.start] !== '{') throw new SyntaxError(`no object ${name}`);
  return found;
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
