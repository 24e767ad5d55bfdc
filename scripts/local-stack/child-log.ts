import { appendFileSync, existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/**
 * Begins the log file `<directory>/<name>.log`; that of the previous start is `<name>.log.1`.
 * @param print called with warnings, errors, and lines that are not JSON.
 */
export function openChildLog(name: string, directory: string, print: (line: string) => void) {
  const path = join(directory, `${name}.log`);
  mkdirSync(directory, { recursive: true });
  if (existsSync(path)) renameSync(path, `${path}.1`);
  writeFileSync(path, '');
  return {
    path,
    /** Writes the lines of an output stream to the file. */
    read: (stream: Readable): void => {
      createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY }).on('line', (line) => {
        try {
          appendFileSync(path, `${line}\n`);
        } catch {
          // A full disk does not end the stack.
        }
        const shown = describeLine(line);
        if (shown) print(`[${name}] ${shown}`);
      });
    },
  };
}

/** The text of a warning, an error, or a line that is not JSON; undefined for other lines. */
function describeLine(line: string): string | undefined {
  try {
    const { level, message, error, reason } = JSON.parse(line);
    if (level !== 'warn' && level !== 'error') return undefined;
    const cause = error?.message ?? reason;
    return cause === undefined || cause === message ? message : `${message}: ${cause}`;
  } catch {
    return line;
  }
}
