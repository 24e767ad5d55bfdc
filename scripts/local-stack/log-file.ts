import { createWriteStream, type WriteStream } from 'node:fs';
import { second } from '../../shared/durations.ts';

/** After an error, lines are left out for so long before the file is opened again. */
const defaultRetryMs = 5 * second;

interface LogFileOptions {
  /** Called with a sentence when lines cannot be written, and when they can again. */
  report: (message: string) => void;
  retryMs?: number;
}

/**
 * Appends lines to a file. On a full disk it leaves lines out, reports that once, and goes on when
 * there is space again.
 */
export class LogFile {
  readonly #path: string;
  readonly #report: (message: string) => void;
  readonly #retryMs: number;
  #stream: WriteStream | undefined;
  #failedAt: number | undefined;
  #missing = 0;

  constructor(path: string, { report, retryMs = defaultRetryMs }: LogFileOptions) {
    this.#path = path;
    this.#report = report;
    this.#retryMs = retryMs;
  }

  write(line: string): void {
    const isPaused = this.#failedAt !== undefined && performance.now() - this.#failedAt < this.#retryMs;
    if (this.#stream === undefined && isPaused) this.#missing += 1;
    else this.#open().write(`${line}\n`, (error) => (error ? this.#leaveOut(error) : this.#recover()));
  }

  async close(): Promise<void> {
    const stream = this.#stream;
    if (stream === undefined) return;
    this.#stream = undefined;
    await new Promise<void>((resolve) => {
      stream.once('close', resolve);
      stream.end();
    });
  }

  #open(): WriteStream {
    if (this.#stream) return this.#stream;
    const stream = createWriteStream(this.#path, { flags: 'a' });
    this.#stream = stream;
    // Without a listener, the error would end the process. The callbacks of the lines handle it.
    stream.on('error', () => {
      if (this.#stream === stream) this.#stream = undefined;
    });
    return stream;
  }

  /** Called for every line that an error has left in the stream. */
  #leaveOut(error: NodeJS.ErrnoException): void {
    this.#missing += 1;
    if (this.#failedAt === undefined) {
      this.#report(
        `${this.#path} cannot be written (${error.code ?? error.message}): its lines are left out. If the disk is full, free some space; no restart is needed.`,
      );
    }
    this.#failedAt = performance.now();
  }

  #recover(): void {
    if (this.#failedAt === undefined) return;
    this.#failedAt = undefined;
    this.#report(`${this.#path} is written again; ${this.#missing} lines are missing.`);
    this.#missing = 0;
  }
}
