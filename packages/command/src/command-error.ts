/** An error of what the caller gave: a sentence, without a stack trace. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}
