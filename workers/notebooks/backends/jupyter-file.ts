import Joi from 'joi';
import { type BackendClient, notJson, validateResponse } from './backend-client.ts';
import { contentsPath } from './jupyter-contents.ts';
import { createLargeResponseSlot } from './large-response-slot.ts';
import { losslessJson } from './lossless-json.ts';
import type { BackendCall } from './notebook-backend.ts';
import { type NotebookFileParts, NotebookFileScanner, sliceChunks } from './notebook-file-scanner.ts';
import type { BodyReader } from './response-body.ts';
import { NotebookAbsent, UpstreamError } from './upstream-error.ts';

const mebibyte = 1024 * 1024;
/** Outputs of cells, such as images, can be large. */
const maxFileBytes = 64 * mebibyte;
/** A notebook above this size waits for its turn to be held in memory. */
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
