// The process of the reference notebook backend. Reads NOTEBOOK_BACKEND_PORT,
// NOTEBOOK_BACKEND_TOKEN and MONGODB_URL.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { MongoClient } from 'mongodb';
import { createNotebookServer } from './notebook-server.ts';
import { openNotebookStore } from './notebook-store.ts';

function fail(sentence: string): never {
  console.error(sentence);
  process.exit(1);
}

const { MONGODB_URL: mongodbUrl, NOTEBOOK_BACKEND_PORT, NOTEBOOK_BACKEND_TOKEN: token } = process.env;
const port = Number(NOTEBOOK_BACKEND_PORT ?? '0');
if (!mongodbUrl) fail('MONGODB_URL is not set: set it to the database of the notebooks.');
if (!Number.isInteger(port) || port < 0 || port > 65_535)
  fail('NOTEBOOK_BACKEND_PORT must be a port number, or 0 for any free port.');

try {
  const client = await new MongoClient(mongodbUrl).connect();
  const server = createNotebookServer(await openNotebookStore(client.db()), token || undefined);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const stop = (): void => {
    server.close(() => {
      client.close().then(
        () => process.exit(0),
        (error: unknown) => fail(`The notebook backend could not close its connections: ${String(error)}`),
      );
    });
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  console.log(JSON.stringify({ listening: (server.address() as AddressInfo).port }));
} catch (error) {
  fail(`The notebook backend could not start: ${error instanceof Error ? error.message : String(error)}`);
}
