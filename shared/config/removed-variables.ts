const backlogBytes = 'INGEST_MAX_BACKLOG_BYTES limits the accepted entries that wait in MongoDB';
const filesInMongoDb = 'the files of reports are in MongoDB';
const pricesByCommand = '`npm run prices -- apply` stores new prices';

/**
 * Variables that the service had, and what took the place of each. A process that finds one does
 * not start: what it asks for would not be done. The variables of AWS are not among them, because
 * hosts set them for other programs.
 */
const removedVariables: Readonly<Record<string, string>> = {
  INGEST_MAX_BACKLOG: backlogBytes,
  INGEST_MAX_OVERFLOW_BYTES: backlogBytes,
  INGEST_QUEUES: 'all entries are in one queue',
  PRICE_REFRESH_CRON: pricesByCommand,
  PRICE_SOURCES: pricesByCommand,
  RATE_LIMIT_INGEST_ENTRIES:
    'RATE_LIMIT_INGEST_BYTES limits the entries of a caller, each of which counts 200 bytes and its own',
  REDIS_WAIT_REPLICAS: 'every accepted entry is in MongoDB, by a majority of its members',
  REPORT_STORE: filesInMongoDb,
  REPORT_STORE_PATH_STYLE: filesInMongoDb,
  SPOOL_KEY: 'set SERVICE_SECRET to a new secret (`openssl rand -hex 32`)',
};

/** @returns a message for each removed variable that is set. */
export function findRemovedVariables(variables: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(removedVariables).flatMap(([name, instead]) =>
    variables[name] === undefined ? [] : [`${name} is not used any more, so remove it: ${instead}`],
  );
}
