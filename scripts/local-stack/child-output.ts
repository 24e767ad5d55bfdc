import { createWriteStream, type WriteStream } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** Lines of a stack trace other than its message, which the log file has. */
const traceLine = /^\s|^$|^\}|^Node\.js v\d|^(?:file:\/\/|node:|\/).*:\d+$|^throw /;
const errorLine = /^(?:Uncaught )?[\w$.]*(?:Error|Exception)\b/;

/**
 * Writes every output line of a child process to the log file, and prints warnings, errors and
 * lines that are not JSON.
 */
export class ChildOutput {
  readonly #name: string;
  readonly #path: string;
  readonly #print: (line: string) => void;
  #file: WriteStream | undefined;
  #isFailing = false;
  #lastMessage: string | undefined;

  private constructor(name: string, path: string, print: (line: string) => void) {
    this.#name = name;
    this.#path = path;
    this.#print = print;
  }

  /**
   * Opens a new `<directory>/<name>.log`, and keeps the log file of the previous start as
   * `<name>.log.1`.
   */
  static async open(name: string, directory: string, print: (line: string) => void): Promise<ChildOutput> {
    await mkdir(directory, { recursive: true });
    const path = join(directory, `${name}.log`);
    await rename(path, `${path}.1`).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
    return new ChildOutput(name, path, print);
  }

  /** The path of the log file, relative to the working directory if the file is in it. */
  get path(): string {
    const short = relative(process.cwd(), this.#path);
    return short.startsWith('..') ? this.#path : short;
  }

  /** Reads an output stream of the child. */
  read(stream: Readable): void {
    createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY }).on('line', (line) => {
      this.#write(line);
      const shown = this.#format(line);
      if (shown === undefined) return;
      this.#lastMessage = shown;
      this.#print(`[${this.#name}] ${shown}`);
    });
  }

  /** Returns the last warning, error or plain line, and clears it. */
  takeLastMessage(): string | undefined {
    const message = this.#lastMessage;
    this.#lastMessage = undefined;
    return message;
  }

  async close(): Promise<void> {
    const file = this.#file;
    if (file) await new Promise<void>((resolve) => void file.once('close', resolve).end());
  }

  /** On a full disk, lines are left out until there is space again. */
  #write(line: string): void {
    this.#file ??= createWriteStream(this.#path, { flags: 'a' }).on('error', (error: NodeJS.ErrnoException) => {
      this.#file = undefined;
      if (this.#isFailing) return;
      this.#isFailing = true;
      this.#print(`${this.#path} cannot be written (${error.code ?? error.message}): its lines are left out.`);
    });
    this.#file.write(`${line}\n`, (error) => {
      if (!error) this.#isFailing = false;
    });
  }

  /** The text of a warning, an error or a plain line; undefined for other lines. */
  #format(line: string): string | undefined {
    const fields = parseFields(line);
    if (!fields) {
      if (traceLine.test(line)) return undefined;
      return errorLine.test(line) ? `${line} (see ${this.path})` : line;
    }
    const { level, message, error, reason } = fields;
    if ((level !== 'warn' && level !== 'error') || typeof message !== 'string') return undefined;
    const cause = error?.message ?? reason;
    return typeof cause !== 'string' || cause === message ? message : `${message}: ${cause}`;
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
