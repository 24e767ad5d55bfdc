import mongoose, { type Connection } from 'mongoose';
import { second } from './durations.ts';

export const duplicateKey = 11000;

/** A request must learn within seconds that the database is away. */
export const mongoPatience = 3 * second;

/** Opens a connection of its own (never Mongoose's global one) and waits until the server has answered. */
export async function openMongo(url: string): Promise<Connection> {
  return mongoose
    .createConnection(url, {
      serverSelectionTimeoutMS: mongoPatience,
      bufferCommands: false,
      autoIndex: false,
    })
    .asPromise();
}

/** Is this error the refusal of a unique index? Which index it was, the caller knows from its own operation. */
export function isDuplicateKey(error: unknown): boolean {
  return error instanceof mongoose.mongo.MongoServerError && error.code === duplicateKey;
}

/** Does this error say that the database is away, rather than that it refused something? */
export function isMongoAway(error: unknown): boolean {
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
