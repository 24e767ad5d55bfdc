/**
 * An error of the start that the user can fix. The message is one sentence, printed without a stack
 * trace.
 */
export class StackError extends Error {
  override readonly name = 'StackError';
}
