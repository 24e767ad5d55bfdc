import { createWriteStream, type WriteStream } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** Lines without a gap of so many milliseconds belong together: a stack trace is recognised as a whole. */
const gap = 100;
const longestBlock = 500;

/** `all`: warnings, errors and plain lines are shown. `none`: everything goes to the log file only. */
export type ShownOutput = 'all' | 'none';

/**
 * Where the output of one child goes: every line to its log file, and to the console what a person should see at once:
 * warnings, errors, and what is no log line at all. A stack trace becomes one line that names the file.
 */
export class ChildOutput {
  readonly #name: string;
  readonly #file: WriteStream;
  readonly #path: string;
  readonly #shown: ShownOutput;
  readonly #say: (line: string) => void;
  #block: string[] = [];
  #timer: NodeJS.Timeout | undefined;
  #lastWords: string | undefined;

  private constructor(name: string, path: string, shown: ShownOutput, say: (line: string) => void) {
    this.#name = name;
    this.#path = path;
    this.#file = createWriteStream(path, { flags: 'a' });
    this.#shown = shown;
    this.#say = say;
  }

  /** Opens `<directory>/<name>.log` anew; the one of the last start is kept as `<name>.log.1`. */
  static async open(
    name: string,
    directory: string,
    shown: ShownOutput,
    say: (line: string) => void,
  ): Promise<ChildOutput> {
    await mkdir(directory, { recursive: true });
    const path = join(directory, `${name}.log`);
    await rename(path, `${path}.1`).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
    return new ChildOutput(name, path, shown, say);
  }

  /** The log file as a person would type it. */
  get path(): string {
    const short = relative(process.cwd(), this.#path);
    return short.startsWith('..') ? this.#path : short;
  }

  /** Reads a stream of the child to its end. */
  read(stream: Readable): void {
    createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY }).on('line', (line) => this.#take(line));
  }

  /** Shows what has been held back. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const block = this.#block;
    this.#block = [];
    if (block.length === 0) return;
    const shown = blockForConsole(block, this.path);
    this.#lastWords = shown.at(-1);
    if (this.#shown === 'all') for (const line of shown) this.#say(`[${this.#name}] ${line}`);
  }

  /** The last thing said that a person should know: a warning, an error or a plain line; taken away when read. */
  takeLastWords(): string | undefined {
    this.flush();
    const words = this.#lastWords;
    this.#lastWords = undefined;
    return words;
  }

  async close(): Promise<void> {
    this.flush();
    await new Promise<void>((resolve) => {
      this.#file.end(() => resolve());
    });
  }

  #take(line: string): void {
    this.#file.write(`${line}\n`);
    const fields = parseFields(line);
    if (fields === undefined) {
      this.#hold(line);
      return;
    }
    const shown = logLineForConsole(fields);
    if (shown === undefined) return;
    this.flush();
    this.#lastWords = shown;
    if (this.#shown === 'all') this.#say(`[${this.#name}] ${shown}`);
  }

  #hold(line: string): void {
    this.#block.push(line);
    clearTimeout(this.#timer);
    if (this.#block.length >= longestBlock) this.flush();
    else this.#timer = setTimeout(() => this.flush(), gap);
  }
}

interface LogLine {
  level?: unknown;
  message?: unknown;
  error?: { message?: unknown } | null;
  reason?: unknown;
}

/** The fields of a line that is a JSON object; undefined for any other line. */
function parseFields(line: string): LogLine | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line) as LogLine;
  } catch {
    return undefined;
  }
}

/** What the console shows of a log line: message and cause of warnings and errors, nothing of the others. */
function logLineForConsole({ level, message, error, reason }: LogLine): string | undefined {
  if ((level !== 'warn' && level !== 'error') || typeof message !== 'string') return undefined;
  const cause = error?.message ?? reason;
  return typeof cause !== 'string' || cause === message ? message : `${message}: ${cause}`;
}

/** Plain lines as they are, but a stack trace as its error and the name of the file that has the rest. */
function blockForConsole(lines: readonly string[], file: string): string[] {
  if (!lines.some((line) => /^\s+at \S/.test(line))) return lines.filter((line) => line.trim() !== '');
  const error = lines.find((line) => /^(?:Uncaught )?[\w$.]*(?:Error|Exception)\b.*/.test(line)) ?? 'crashed';
  return [`${error} (stack trace in ${file})`];
}
