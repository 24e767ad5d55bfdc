import mongoose, { type Connection } from 'mongoose';
import { second } from '../durations.ts';

export const duplicateKey = 11000;

/** How long an operation waits for a reachable server; short, because requests wait for it. */
export const serverSelectionTimeoutMs = 3 * second;

/** Opens a new connection, not Mongoose's global one, and waits until the server answers. */
export async function openMongo(url: string): Promise<Connection> {
  return mongoose
    .createConnection(url, {
      serverSelectionTimeoutMS: serverSelectionTimeoutMs,
      bufferCommands: false,
      autoIndex: false,
    })
    .asPromise();
}

/** Whether an error is that of a unique index. Which index it is follows from the operation. */
export function isDuplicateKey(error: unknown): boolean {
  return error instanceof mongoose.mongo.MongoServerError && error.code === duplicateKey;
}

/** Whether an error means that the database is unreachable, not that it refused the operation. */
export function isMongoUnavailable(error: unknown): boolean {
  return (
    error instanceof mongoose.mongo.MongoNetworkError ||
    error instanceof mongoose.mongo.MongoServerSelectionError ||
    error instanceof mongoose.mongo.MongoNotConnectedError ||
    error instanceof mongoose.mongo.MongoTopologyClosedError ||
    error instanceof mongoose.Error.MongooseServerSelectionError ||
    (error instanceof mongoose.mongo.MongoError && error.hasErrorLabel('RetryableWriteError')) ||
    // Written to a socket that the server has just ended: the driver throws the error of Node.js as it is.
    (error instanceof Error && (error as NodeJS.ErrnoException).code === 'EPIPE')
  );
}
