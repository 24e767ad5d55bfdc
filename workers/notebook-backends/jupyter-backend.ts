import Joi from 'joi';
import type { BodyReader } from './answer-body.ts';
import { backendClient, notJson, validateAnswer } from './backend-client.ts';
import { ignoreAbsent } from './ignore-absent.ts';
import { createLargeAnswerSlot } from './large-answer-slot.ts';
import { losslessJson } from './lossless-json.ts';
import type { BackendCall, BackendNotebook, NotebookBackend } from './notebook-backend.ts';
import { createNotebookFileScanner, type NotebookFileParts, sliceChunks } from './notebook-file-scanner.ts';
import { NotebookAbsent, UpstreamError } from './upstream-error.ts';

const mebibyte = 1024 * 1024;
/** Outputs of cells, such as images, can be large. */
const maxFileBytes = 64 * mebibyte;
/** About ten thousand files. The list is parsed as a whole. */
const maxListBytes = 4 * mebibyte;
/** A notebook above this size waits for its turn to be held in memory. */
const largeAnswerBytes = 1 * mebibyte;
const maxMetadataBytes = 1 * mebibyte;

interface Metadata {
  title?: string;
  description?: string | null;
}

/** A notebook file. All parts except the metadata are written back unchanged. */
interface NotebookFile {
  metadata: Metadata;
  parts: NotebookFileParts;
}

const notebookMetadata = Joi.object<Metadata>({ title: Joi.string(), description: Joi.string().allow('', null) })
  .required()
  .label('content.metadata');
const folder = Joi.object<{ content: { name: string }[] }>({
  content: Joi.array()
    .items(Joi.object({ name: Joi.string().required() }))
    .required(),
});

/** Names of files that this service created. */
const ownFileName = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\.ipynb$/;

/** Converts metadata. A file that Jupyter created can lack a title and a description. */
function toBackendNotebook(ref: string, { title, description }: Metadata): BackendNotebook {
  return { ref, ...(title === undefined ? {} : { title }), ...(description === undefined ? {} : { description }) };
}

const fileName = (id: string) => `${id}.ipynb`;

/**
 * The Contents API of Jupyter Server. The file name is the id of the service. The metadata contain title and
 * description.
 */
export function jupyterBackend({ url, token }: { url: string; token?: string }): NotebookBackend {
  const json = losslessJson();
  const secrets = token === undefined ? [] : [token];
  const largeAnswers = createLargeAnswerSlot();
  const client = backendClient({
    url,
    ...(token === undefined ? {} : { authorization: `token ${token}`, secret: token }),
  });
  const notebookPath = (ref: string, query = '') => ({ path: `api/contents/${ref}${query}`, isNotebookPath: true });

  /** Reads a notebook file. Its cells are passed to `keep` and not stored. */
  const readFile = (ref: string, call: BackendCall, keep: (chunk: Buffer) => Promise<void>): Promise<NotebookFile> => {
    const read: BodyReader<NotebookFile> = async (body) => {
      const scanner = createNotebookFileScanner(maxMetadataBytes);
      for await (const chunk of body) {
        scan(() => scanner.push(chunk));
        await keep(chunk);
      }
      const parts = scan(() => scanner.finish());
      const stored = parts && scan(() => json.parse(parts.metadataJson));
      const metadata = validateAnswer(stored, notebookMetadata, secrets);
      return { metadata, parts: parts as NotebookFileParts };
    };
    const request = {
      method: 'GET' as const,
      ...notebookPath(ref, '?type=notebook&content=1'),
      maxAnswerBytes: maxFileBytes,
    };
    return client.stream(request, read, call);
  };

  /** Writes the metadata of a notebook back, and all other bytes as they were read. */
  const replaceMetadata = async (ref: string, changes: object, call: BackendCall): Promise<Metadata> => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    let release: (() => void) | undefined;
    try {
      const { metadata, parts } = await readFile(ref, call, async (chunk) => {
        chunks.push(chunk);
        bytes += chunk.length;
        if (bytes > largeAnswerBytes) release ??= await largeAnswers.acquire(call.signal);
      });
      const changed = { ...metadata, ...changes };
      const rawBody = [
        Buffer.from('{"type":"notebook","format":"json","content":'),
        ...sliceChunks(chunks, { start: parts.content.start, end: parts.metadata.start }),
        Buffer.from(json.stringify(changed)),
        ...sliceChunks(chunks, { start: parts.metadata.end, end: parts.content.end }),
        Buffer.from('}'),
      ];
      await client.send({ method: 'PUT', path: `api/contents/${ref}`, rawBody }, call);
      return changed;
    } finally {
      release?.();
    }
  };
  const remove = (ref: string, call: BackendCall) => client.send({ method: 'DELETE', ...notebookPath(ref) }, call);

  return {
    capabilities: { updateTitle: true, updateDescription: true, storesDescription: true, pagedList: false },
    deriveRef: fileName,
    create: async ({ id, title, description, createdAt }, call) => {
      const ref = fileName(id);
      // Writing again would overwrite changes that users made since an earlier attempt.
      if (call.repeated && (await exists(ref, call))) return ref;
      const metadata = { title, description, created_at: createdAt };
      const body = {
        type: 'notebook',
        format: 'json',
        content: { nbformat: 4, nbformat_minor: 5, metadata, cells: [] },
      };
      await client.send({ method: 'PUT', path: `api/contents/${ref}`, body }, call);
      return ref;
    },
    read: async ({ ref }, call) => {
      return toBackendNotebook(ref, (await readFile(ref, call, async () => {})).metadata);
    },
    update: async ({ ref }, changes, _updatedAt, call) => {
      return toBackendNotebook(ref, await replaceMetadata(ref, changes, call));
    },
    remove: ({ ref }, call) => remove(ref, call),
    discard: (id, call) => ignoreAbsent(remove(fileName(id), call)),
    list: async (_page, call) => {
      const { content } = await client.fetchJson(
        { method: 'GET', path: 'api/contents/?type=directory&content=1', maxAnswerBytes: maxListBytes },
        folder,
        call,
      );
      return { items: content.filter(({ name }) => ownFileName.test(name)).map(({ name }) => ({ ref: name })) };
    },
    ping: (call) => client.send({ method: 'GET', path: 'api/contents/?type=directory&content=0' }, call),
  };

  async function exists(ref: string, call: BackendCall): Promise<boolean> {
    try {
      await client.send({ method: 'GET', ...notebookPath(ref, '?content=0') }, call);
      return true;
    } catch (error) {
      if (error instanceof NotebookAbsent) return false;
      throw error;
    }
  }
}

function scan<T>(step: () => T): T {
  try {
    return step();
  } catch (error) {
    if (!(error instanceof RangeError)) throw notJson(error);
    throw new UpstreamError({ reason: 'the metadata of the notebook are too long', retryable: false, cause: error });
  }
}
