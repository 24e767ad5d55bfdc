import { mkdir, rename } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { LogFile } from './log-file.ts';

/** Plain lines with smaller gaps in time form a block, such as a stack trace. */
const blockGapMs = 100;
const maxBlockLines = 500;

/** `all`: prints warnings, errors and plain lines. `none`: writes the log file only. */
export type ShownOutput = 'all' | 'none';

/**
 * Writes every output line of a child process to the log file, and prints warnings, errors and
 * lines that are not JSON. A stack trace is printed as one line with the path of the log file.
 */
export class ChildOutput {
  readonly #name: string;
  readonly #file: LogFile;
  readonly #path: string;
  readonly #shown: ShownOutput;
  readonly #print: (line: string) => void;
  #block: string[] = [];
  #timer: NodeJS.Timeout | undefined;
  #lastMessage: string | undefined;

  private constructor(name: string, path: string, shown: ShownOutput, print: (line: string) => void) {
    this.#name = name;
    this.#path = path;
    this.#file = new LogFile(path, { report: print });
    this.#shown = shown;
    this.#print = print;
  }

  /**
   * Opens a new `<directory>/<name>.log`, and keeps the log file of the previous start as
   * `<name>.log.1`.
   */
  static async open(
    name: string,
    directory: string,
    shown: ShownOutput,
    print: (line: string) => void,
  ): Promise<ChildOutput> {
    await mkdir(directory, { recursive: true });
    const path = join(directory, `${name}.log`);
    await rename(path, `${path}.1`).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
    return new ChildOutput(name, path, shown, print);
  }

  /** The path of the log file, relative to the working directory if the file is in it. */
  get path(): string {
    const short = relative(process.cwd(), this.#path);
    return short.startsWith('..') ? this.#path : short;
  }

  /** Reads an output stream of the child. */
  read(stream: Readable): void {
    createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY }).on('line', (line) =>
      this.#handleLine(line),
    );
  }

  /** Prints the lines of the current block. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const block = this.#block;
    this.#block = [];
    if (block.length === 0) return;
    const shown = formatBlock(block, this.path);
    if (shown.length === 0) return;
    this.#lastMessage = shown.at(-1);
    if (this.#shown === 'all') for (const line of shown) this.#print(`[${this.#name}] ${line}`);
  }

  /** Returns the last warning, error or plain line, and clears it. */
  takeLastMessage(): string | undefined {
    this.flush();
    const message = this.#lastMessage;
    this.#lastMessage = undefined;
    return message;
  }

  async close(): Promise<void> {
    this.flush();
    await this.#file.close();
  }

  #handleLine(line: string): void {
    this.#file.write(line);
    const fields = parseFields(line);
    if (fields === undefined) {
      this.#addToBlock(line);
      return;
    }
    const shown = formatLogLine(fields);
    if (shown === undefined) return;
    this.flush();
    this.#lastMessage = shown;
    if (this.#shown === 'all') this.#print(`[${this.#name}] ${shown}`);
  }

  #addToBlock(line: string): void {
    this.#block.push(line);
    clearTimeout(this.#timer);
    if (this.#block.length >= maxBlockLines) this.flush();
    else this.#timer = setTimeout(() => this.flush(), blockGapMs);
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

/** Formats a warning or an error for the console: message and cause. Undefined for other levels. */
function formatLogLine({ level, message, error, reason }: LogLine): string | undefined {
  if ((level !== 'warn' && level !== 'error') || typeof message !== 'string') return undefined;
  const cause = error?.message ?? reason;
  return typeof cause !== 'string' || cause === message ? message : `${message}: ${cause}`;
}

/** Node.js ends a stack trace with it, on a busy machine later than the block. */
const versionLine = /^Node\.js v\d/;

/**
 * Formats a block of plain lines for the console: a stack trace as one line, other lines unchanged.
 */
function formatBlock(lines: readonly string[], file: string): string[] {
  if (!lines.some((line) => /^\s+at \S/.test(line))) {
    return lines.filter((line) => line.trim() !== '' && !versionLine.test(line));
  }
  const error = lines.find((line) => /^(?:Uncaught )?[\w$.]*(?:Error|Exception)\b.*/.test(line)) ?? 'crashed';
  return [`${error} (stack trace in ${file})`];
}
