import { CommanderError } from 'commander';
import { AppError } from '../../../shared/errors.ts';

/** An error of what the caller gave: a sentence, without a stack trace. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** @returns the exit code. */
export function reportError(error: unknown): number {
  // Commander has written its own errors.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  const isExpected = error instanceof CommandError || error instanceof AppError;
  const text = isExpected
    ? error.message
    : `Unexpected error: ${error instanceof Error ? error.message : String(error)}`;
  // Sentences of the service name addresses of its API, which the command does not have.
  const shown = text.replace(/;? GET \/api\S* lists them/g, '').replaceAll('?.', '?');
  process.stderr.write(`meterbook: ${shown}\n`);
  return 2;
}
