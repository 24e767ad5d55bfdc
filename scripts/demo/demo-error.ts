/** The demo can not go on, for a reason that a person can mend: the message is one sentence, shown without a stack trace. */
export class DemoError extends Error {
  override readonly name = 'DemoError';
}
