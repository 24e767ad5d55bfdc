import { createHash } from 'node:crypto';
import type { FileId, FileStore } from '../files/file-store.ts';

/** The files of reports, with their hashes. */
export interface ReportFiles extends Omit<FileStore, 'put'> {
  /** Stores a file, as `put` of a file store does. */
  write(id: FileId, bytes: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<StoredFile>;
}

export interface StoredFile {
  sizeBytes: number;
  /** Hexadecimal. */
  sha256: string;
}

export function createReportFiles(store: FileStore): ReportFiles {
  return {
    ...store,
    write: async (id, bytes, signal) => {
      const hash = createHash('sha256');
      let sizeBytes = 0;
      const measured = async function* () {
        for await (const chunk of bytes) {
          hash.update(chunk);
          sizeBytes += chunk.length;
          yield chunk;
        }
      };
      await store.put(id, measured(), signal);
      return { sizeBytes, sha256: hash.digest('hex') };
    },
  };
}
