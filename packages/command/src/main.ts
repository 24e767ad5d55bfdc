#!/usr/bin/env node
import { reportError } from './command-error.ts';
import { createProgram } from './program.ts';

// A reader such as `head` has what it needs.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 2);
});

try {
  await createProgram().parseAsync();
} catch (error) {
  process.exitCode = reportError(error);
}
