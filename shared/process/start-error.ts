/**
 * An error that prevents the start. The message is one sentence that names the variable and the
 * fix.
 */
export class StartError extends Error {
  override readonly name = 'StartError';
}
