// The process of the reference notebook backend. Reads NOTEBOOK_BACKEND_PORT,
// NOTEBOOK_BACKEND_TOKEN and MONGODB_URL.
import { MongoClient } from 'mongodb';
import { createNotebookServer } from './notebook-server.ts';

const { MONGODB_URL: mongodbUrl = '', NOTEBOOK_BACKEND_PORT: port, NOTEBOOK_BACKEND_TOKEN: token } = process.env;
const client = await new MongoClient(mongodbUrl).connect();
const app = await createNotebookServer(client.db(), token || undefined);
const server = app.listen(Number(port), '127.0.0.1', () => console.log(JSON.stringify({ listening: Number(port) })));
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => server.close(() => void client.close().then(() => process.exit(0))));
}
