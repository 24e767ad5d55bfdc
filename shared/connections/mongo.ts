import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import mongoose, { type Collection, type Connection, type Model, type QueryFilter, Schema } from 'mongoose';
import { minute } from '../durations.ts';
import { unavailable } from '../errors.ts';
import { withoutIgnoredOptions } from './connection-urls.ts';

const { mongo } = mongoose;

const duplicateKey = 11000;

/**
 * `request`: every operation is short, and a caller waits for it. `worker`: operations may take
 * longer, because jobs change many documents at once. `setup`: an operation takes as long as it
 * needs, because building an index of a large collection takes minutes.
 */
export type MongoRole = 'request' | 'worker' | 'setup';

/** For reads that decide about removals and merges: what they return is not rolled back. */
export const majority = { level: 'majority' } as const;

/** How long an operation waits for a reachable primary, in milliseconds. */
export const serverSelectionTimeout = (timeoutMs: number): number => timeoutMs * 0.4;

/**
 * Every operation on a frozen database fails within `timeoutMs`, in every role: the driver checks
 * each server at the frequency of its heartbeat, and ends all operations on one that does not
 * response. It repeats an operation once, which then waits for another primary; without
 * `maxAdaptiveRetries`, twice if a connection could not be opened. The limit of the socket is for a
 * server that responds to the checks but not to the operation; because of the repetition, it is
 * half of the total.
 */
function timeLimits(timeoutMs: number, role: MongoRole) {
  const ofRole = {
    request: { socketTimeoutMS: timeoutMs / 2, waitQueueTimeoutMS: timeoutMs / 2 },
    worker: { socketTimeoutMS: longestOperation },
    setup: {},
  };
  return {
    heartbeatFrequencyMS: Math.max(timeoutMs * 0.1, shortestHeartbeat),
    connectTimeoutMS: timeoutMs * 0.4,
    maxAdaptiveRetries: 1,
    serverSelectionTimeoutMS: serverSelectionTimeout(timeoutMs),
    ...ofRole[role],
  };
}

/** The driver accepts no less. */
const shortestHeartbeat = 500;
/** Also for a connection that a firewall has dropped silently. */
const longestOperation = 1 * minute;

/**
 * Opens a new connection, not Mongoose's global one, and waits until the server responds. Whatever
 * the connection string says, writes are acknowledged by a majority of the members, from their
 * journals, and reads go to the primary.
 * @param options.timeoutMs how long an operation waits for a database that does not respond, in
 * milliseconds.
 */
export async function openMongo(
  url: string,
  { timeoutMs, role }: { timeoutMs: number; role: MongoRole },
): Promise<Connection> {
  failWritesToClosedSockets();
  const limits = timeLimits(timeoutMs, role);
  return mongoose
    .createConnection(withoutIgnoredOptions(url), {
      ...limits,
      writeConcern: { w: 'majority', journal: true, wtimeoutMS: limits.serverSelectionTimeoutMS },
      readPreference: 'primary',
      bufferCommands: false,
      autoIndex: false,
    })
    .asPromise();
}

/** Whether an error is that of a unique index. Which index it is follows from the operation. */
export function isDuplicateKey(error: unknown): boolean {
  return error instanceof mongo.MongoServerError && error.code === duplicateKey;
}

/** Inserts a document, unless one has its id or its key of another unique index. */
export async function insertOnce<Document>(model: Model<Document>, document: Document): Promise<void> {
  try {
    await model.create(document as never);
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
}

/**
 * Codes of servers that run but cannot serve now. All but the last group are those that drivers
 * retry once:
 * https://github.com/mongodb/specifications/blob/master/source/retryable-reads/retryable-reads.md
 */
const unavailableCodes: ReadonlySet<unknown> = new Set([
  6, // HostUnreachable
  7, // HostNotFound
  89, // NetworkTimeout
  91, // ShutdownInProgress
  134, // ReadConcernMajorityNotAvailableYet
  189, // PrimarySteppedDown
  262, // ExceededTimeLimit
  9001, // SocketException
  10_058, // LegacyNotPrimary
  10_107, // NotWritablePrimary
  11_600, // InterruptedAtShutdown
  11_602, // InterruptedDueToReplStateChange
  13_435, // NotPrimaryNoSecondaryOk
  13_436, // NotPrimaryOrSecondary
  43, // CursorNotFound: the cursor was on a server that is no longer the primary
  50, // MaxTimeMSExpired
  64, // WriteConcernTimeout: written, but not yet by a majority
  100, // UnsatisfiableWriteConcern: too few members with data
  112, // WriteConflict
  133, // FailedToSatisfyReadPreference
  14_031, // OutOfDiskSpace
]);

/** Names of errors, because the driver does not export all of their classes. */
const unavailableNames: ReadonlySet<string> = new Set([
  'MongoServerSelectionError',
  'MongoNotConnectedError',
  'MongoServerClosedError',
  'MongoStalePrimaryError',
  'MongoTopologyClosedError',
  'MongoWaitQueueTimeoutError',
  'MongoPoolClosedError',
  'MongooseServerSelectionError',
]);
/** Given to errors whose operation may be sent again. */
const retryLabels = ['RetryableWriteError', 'RetryableError', 'SystemOverloadedError'];

/** Whether the database is unreachable or cannot serve, not whether it refused something. */
export function isMongoUnavailable(error: unknown): boolean {
  // The driver hides errors of its own, such as those of connections, in that of a bulk write.
  if (error instanceof mongo.MongoBulkWriteError && error.errorResponse instanceof Error) {
    return isMongoUnavailable(error.errorResponse);
  }
  if (!(error instanceof Error)) return false;
  if (error instanceof mongo.MongoNetworkError || unavailableNames.has(error.name)) return true;
  if (error instanceof mongo.MongoError) {
    return unavailableCodes.has(error.code) || retryLabels.some((label) => error.hasErrorLabel(label));
  }
  // Written to a socket that the server has just ended: the driver throws the error of Node.js.
  return (error as NodeJS.ErrnoException).code === 'EPIPE';
}

/** Few enough for the time limit of one operation, on a slow database too. */
const portionSize = 500;

/**
 * Removes all documents that match from a collection, in portions, so that no operation takes
 * long.
 * @param onPortion is called after every portion.
 * @returns the number of removed documents.
 */
export async function removeInPortions(
  collection: Collection,
  filter: object,
  onPortion: () => void = () => {},
): Promise<number> {
  let removed = 0;
  for (;;) {
    const found = await collection.find(filter, { projection: { _id: 1 }, limit: portionSize }).toArray();
    if (found.length === 0) return removed;
    // A document that no longer matches stays.
    const portion = { _id: { $in: found.map(({ _id }) => _id) } };
    const { deletedCount } = await collection.deleteMany({ $and: [filter, portion] });
    removed += deletedCount;
    onPortion();
  }
}

/** The fields of an index, and its options. */
export type Index = readonly [
  fields: Readonly<Record<string, 1>>,
  options?: { unique?: true; sparse?: true; expireAfterSeconds?: number; partialFilterExpression?: object },
];

/**
 * Defines a collection by the type of its documents and its indexes. Documents are stored as they
 * are: input was validated where it entered. Types narrower than those of the library save the
 * compiler half a minute.
 * @returns a function that creates its model on a connection.
 */
export function defineModel<Document>(
  collection: string,
  indexes: readonly Index[] = [],
): (connection: Connection) => Model<Document> {
  const options = { collection, strict: false, minimize: false, versionKey: false } as const;
  const schema = new Schema({ _id: String }, options) as unknown as Schema<Document>;
  for (const [fields, indexOptions] of indexes) schema.index(fields, indexOptions);
  return (connection) =>
    (connection as unknown as { model(name: string, schema: Schema<Document>): Model<Document> }).model(
      collection,
      schema,
    );
}

/** DocumentDB needs three on average beside constant updates. */
const maxAttempts = 50;

/**
 * Deletes a document that matches. DocumentDB deletes none, and reports no error, if the document
 * is updated at the same time; MongoDB tries again by itself.
 * @returns the deleted document; null if none matches.
 * @throws AppError SERVICE_UNAVAILABLE if the database deletes none in many attempts.
 */
export async function deleteDocument<Document>(
  model: Model<Document>,
  filter: QueryFilter<Document>,
): Promise<Document | null> {
  for (let attempts = 0; attempts < maxAttempts; attempts += 1) {
    const deleted = (await model.findOneAndDelete(filter).lean()) as Document | null;
    if (deleted !== null || (await model.exists(filter)) === null) return deleted;
  }
  throw unavailable('The database did not delete what is being changed: try again.', 1);
}

interface DriverConnection {
  readonly socket: Socket;
  writeCommand: (this: DriverConnection, ...command: unknown[]) => Promise<void>;
}

const require = createRequire(import.meta.url);
const driverOfMongoose = createRequire(require.resolve('mongoose'));
const { Connection: ConnectionOfDriver } = driverOfMongoose('mongodb/lib/cmap/connection.js') as {
  Connection: { prototype: DriverConnection };
};

/**
 * Fails writes to sockets that close. The driver (7.9 too) waits for the `drain` of a socket, which
 * one that was just destroyed never emits, and no timeout ends that wait. If the write is a check
 * of the server, no other check follows, and the process never finds the database again.
 */
export function failWritesToClosedSockets(): void {
  const { writeCommand } = ConnectionOfDriver.prototype;
  if (writeCommand.name === writeUntilClosed.name) return;
  ConnectionOfDriver.prototype.writeCommand = writeUntilClosed;

  async function writeUntilClosed(this: DriverConnection, ...command: unknown[]): Promise<void> {
    let onClose = () => {};
    const closed = new Promise<never>((_, reject) => {
      onClose = () => reject(new mongo.MongoNetworkError('The connection was closed before a write.'));
      if (this.socket.closed) onClose();
      else this.socket.once('close', onClose);
    });
    try {
      await Promise.race([writeCommand.apply(this, command), closed]);
    } finally {
      this.socket.off('close', onClose);
    }
  }
}
