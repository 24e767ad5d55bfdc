/** The stack can not start, for a reason that a person can mend: the message is one sentence, shown without a stack trace. */
export class StackError extends Error {
  override readonly name = 'StackError';
}
