// The errors of the store, with MongoDB's codes and names.

const errorCodes = {
  InternalError: 1,
  BadValue: 2,
  FailedToParse: 9,
  TypeMismatch: 14,
  Overflow: 15,
  InvalidLength: 16,
  InvalidBSON: 22,
  NamespaceNotFound: 26,
  IndexNotFound: 27,
  PathNotViable: 28,
  ConflictingUpdateOperators: 40,
  CursorNotFound: 43,
  NamespaceExists: 48,
  MaxTimeMSExpired: 50,
  DollarPrefixedFieldName: 52,
  InvalidIdField: 53,
  NotSingleValueField: 54,
  EmptyFieldName: 56,
  CommandNotFound: 59,
  ImmutableField: 66,
  CannotCreateIndex: 67,
  InvalidOptions: 72,
  InvalidNamespace: 73,
  IndexOptionsConflict: 85,
  NotAReplicaSet: 123,
  CannotIndexParallelArrays: 171,
  QueryPlanKilled: 175,
  NotImplemented: 238,
  BSONObjectTooLarge: 10334,
  DuplicateKey: 11000,
  OutOfDiskSpace: 14031,
  UnknownCommandField: 40415,
} as const;

type ErrorName = keyof typeof errorCodes;

/** Fields that can be encoded as BSON. */
type ErrorDetails = Readonly<Record<string, unknown>>;

/** Sent to the client as `{ok: 0, code, codeName, errmsg, ...details}` or as a write error. */
export class CommandError extends Error {
  readonly code: number;
  readonly codeName: ErrorName | `Location${number}`;
  readonly details: ErrorDetails;

  constructor(code: ErrorName | number, message: string, details: ErrorDetails = {}) {
    super(message);
    this.name = 'CommandError';
    this.details = details;
    if (typeof code === 'number') {
      this.code = code;
      this.codeName = `Location${code}`;
    } else {
      this.code = errorCodes[code];
      this.codeName = code;
    }
  }
}

/** LMDB's messages on a full disk: the second one after it has written a part. */
const diskFull = /^(?:No space left on device|Input\/output error)/;

/** Returns a CommandError as it is; any other error becomes one with its message. */
export function toCommandError(error: unknown): CommandError {
  if (error instanceof CommandError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new CommandError(diskFull.test(message) ? 'OutOfDiskSpace' : 'InternalError', message);
}
