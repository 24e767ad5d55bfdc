// The refusals of the store, under MongoDB's own numbers and names, so that drivers treat them alike.

const errorCodes = {
  InternalError: 1,
  BadValue: 2,
  FailedToParse: 9,
  TypeMismatch: 14,
  InvalidLength: 16,
  IllegalOperation: 20,
  InvalidBSON: 22,
  NamespaceNotFound: 26,
  IndexNotFound: 27,
  PathNotViable: 28,
  ConflictingUpdateOperators: 40,
  CursorNotFound: 43,
  NamespaceExists: 48,
  DollarPrefixedFieldName: 52,
  InvalidIdField: 53,
  EmptyFieldName: 56,
  CommandNotFound: 59,
  ImmutableField: 66,
  CannotCreateIndex: 67,
  InvalidOptions: 72,
  InvalidNamespace: 73,
  IndexOptionsConflict: 85,
  IndexKeySpecsConflict: 86,
  InvalidPipelineOperator: 168,
  CannotIndexParallelArrays: 171,
  QueryPlanKilled: 175,
  NotImplemented: 238,
  BSONObjectTooLarge: 10334,
  DuplicateKey: 11000,
  UnknownCommandField: 40415,
  UnrecognizedPipelineStage: 40324,
} as const;

export type ErrorName = keyof typeof errorCodes;

/** A refusal that travels to the client as `{ok: 0, code, codeName, errmsg, ...details}` or as a write error. */
export class CommandError extends Error {
  readonly code: number;
  readonly codeName: ErrorName | `Location${number}`;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: ErrorName | number, message: string, details: Readonly<Record<string, unknown>> = {}) {
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

/** Whatever was thrown, as a refusal: unforeseen faults become InternalError and keep their message. */
export function toCommandError(error: unknown): CommandError {
  if (error instanceof CommandError) return error;
  if (error instanceof Error && error.name.startsWith('BSON')) return new CommandError('InvalidBSON', error.message);
  return new CommandError('InternalError', error instanceof Error ? error.message : String(error));
}
