#!/usr/bin/env node
import { createProgram } from './program.ts';
import { reportError } from './report-error.ts';

// A reader such as `head` has what it needs.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 2);
});

try {
  await createProgram().parseAsync();
} catch (error) {
  process.exitCode = reportError(error);
}
