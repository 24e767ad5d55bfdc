/**
 * An error of the demo that the user can fix. The message is one sentence, printed without a stack
 * trace.
 */
export class DemoError extends Error {
  override readonly name = 'DemoError';
}
