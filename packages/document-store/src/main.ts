// Runs the document store as a process. DOCUMENT_STORE_DIR is its folder, DOCUMENT_STORE_PORT its
// port (0 for a free one). With DOCUMENT_STORE_SYNC=off, data survives the end of the process, but
// not a crash of the machine.
import { startDocumentStore } from './document-store.ts';

function fail(sentence: string): never {
  console.error(sentence);
  process.exit(1);
}

const directory = process.env.DOCUMENT_STORE_DIR;
const port = Number(process.env.DOCUMENT_STORE_PORT ?? '0');
const sync = process.env.DOCUMENT_STORE_SYNC !== 'off';
if (!directory) fail('DOCUMENT_STORE_DIR is not set: give the folder for the data of the document store.');
if (!Number.isInteger(port) || port < 0 || port > 65_535)
  fail('DOCUMENT_STORE_PORT must be a port number, or 0 for a free one.');

try {
  const store = await startDocumentStore({ port, directory, sync });
  const stop = (): void => {
    store.close().then(
      () => process.exit(0),
      (error: unknown) => fail(`The document store could not close its files: ${String(error)}`),
    );
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  console.log(JSON.stringify({ listening: store.port }));
  process.send?.({ listening: store.port });
} catch (error) {
  if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') {
    fail(`Port ${port} is taken: set DOCUMENT_STORE_PORT to a free one, or to 0.`);
  }
  fail(`The document store could not start in ${directory}: ${error instanceof Error ? error.message : String(error)}`);
}
