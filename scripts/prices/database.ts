import { removeCredentials } from '../../shared/connections/connection-urls.ts';
import { openMongo } from '../../shared/connections/mongo.ts';
import { readBookOfCode } from '../../shared/cost/price-book.ts';
import type { PriceBookFile } from '../../shared/cost/price-book-file.ts';
import { readNewestPriceBook } from '../../shared/cost/price-books.ts';
import { second } from '../../shared/durations.ts';
import { StartError } from '../../shared/errors.ts';
import { createModels, type Models } from '../../shared/models.ts';
import { stackEnvironment } from '../local-stack/settings.ts';
import type { Terminal } from './output.ts';

const timeoutMs = 5 * second;

/**
 * The newest version of the database: that of the environment, or of the local stack if it runs.
 * Else the book of the code, which a line of `printError` says.
 */
export async function readComparedBook({ environment, printError }: Terminal): Promise<PriceBookFile> {
  try {
    return await withDatabase(environment, async (models) => (await readNewestPriceBook(models)).file);
  } catch (error) {
    if (environment['MONGODB_URL'] || !(error instanceof StartError)) throw error;
    printError('No database is running: this is about the price book of the code.');
    return readBookOfCode();
  }
}

/**
 * Works on the database of the environment or of the local stack.
 * @throws StartError with one sentence if the database is unknown or unreachable.
 */
export async function withDatabase<T>(
  environment: NodeJS.ProcessEnv,
  work: (models: Models) => Promise<T>,
): Promise<T> {
  const url = environment['MONGODB_URL'] || ((await stackEnvironment(environment)).MONGODB_URL ?? '');
  const mongo = await openMongo(url, { timeoutMs, role: 'worker' }).catch((error: Error) => {
    const reason = error.message.replace(/\.$/, '');
    const where = `MONGODB_URL: no database answers at ${removeCredentials(url)} (${reason})`;
    throw new StartError(`${where}; start it or correct the variable.`, { cause: error });
  });
  try {
    return await work(createModels(mongo));
  } finally {
    await mongo.close();
  }
}
