// A store in a temporary folder with a connected client, started and removed by the test file that
// asks for it.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Db, MongoClient, MongoServerError } from 'mongodb';
import { type DocumentStore, startDocumentStore } from '../src/document-store.ts';

export interface StoreFixture {
  directory: string;
  store: DocumentStore;
  client: MongoClient;
  db: Db;
  /** Closes the store and opens it again on the same folder. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

export async function openFixture(): Promise<StoreFixture> {
  const directory = await mkdtemp(join(tmpdir(), 'document-store-test-'));
  const connect = async () => {
    const store = await startDocumentStore({ directory });
    const client = new MongoClient(store.url, { retryWrites: false });
    return { store, client, db: client.db('test') };
  };
  const end = async (): Promise<void> => {
    await fixture.client.close();
    await fixture.store.close();
  };
  const fixture: StoreFixture = {
    directory,
    ...(await connect()),
    async restart() {
      await end();
      Object.assign(fixture, await connect());
    },
    async close() {
      await end();
      await rm(directory, { recursive: true, force: true });
    },
  };
  return fixture;
}

/** The server's refusal of an operation; fails when it was accepted. */
export async function refusal(operation: Promise<unknown>): Promise<MongoServerError> {
  try {
    await operation;
  } catch (error) {
    if (error instanceof MongoServerError) return error;
    throw error;
  }
  throw new Error('the operation was accepted');
}
