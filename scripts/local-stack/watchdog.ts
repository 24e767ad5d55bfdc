import { type ChildProcess, spawn } from 'node:child_process';
import { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('./watchdog.mjs', import.meta.url));

/**
 * Makes sure that started processes never outlive this one, also when it is killed with SIGKILL: a small process of its
 * own knows their ids and stops them as soon as the pipe to this one breaks.
 */
export class Watchdog {
  readonly #watched = new Set<number>();
  readonly #folders = new Set<string>();
  #process: ChildProcess | undefined;
  #closed = false;

  /** From now on this process, the leader of its own group, is stopped when the present one ends. */
  watch(pid: number): void {
    this.#watched.add(pid);
    this.#tell({ watch: pid });
  }

  /** The process has ended; its id may be given to another one. */
  forget(pid: number): void {
    this.#watched.delete(pid);
    this.#tell({ forget: pid });
  }

  /** This folder is removed when the present process ends. */
  removeAtEnd(folder: string): void {
    this.#folders.add(folder);
    this.#tell({ remove: folder });
  }

  /** Ends the watch: what is still watched is stopped, folders are removed. Resolves when that is done. */
  async close(): Promise<void> {
    this.#closed = true;
    const running = this.#process;
    if (running === undefined) return;
    running.ref();
    await new Promise<void>((resolve) => {
      running.once('exit', () => resolve());
      running.stdin?.end();
    });
  }

  #tell(message: object): void {
    if (this.#closed) return;
    this.#process ??= this.#start();
    this.#process.stdin?.write(`${JSON.stringify(message)}\n`);
  }

  #start(): ChildProcess {
    const child = spawn(process.execPath, [program], { detached: true, stdio: ['pipe', 'ignore', 'ignore'], env: {} });
    child.unref();
    if (child.stdin instanceof Socket) child.stdin.unref();
    // A watchdog that was killed itself is replaced below.
    child.stdin?.on('error', () => {});
    child.on('error', () => {});
    child.once('exit', () => {
      this.#process = undefined;
      for (const pid of this.#watched) this.#tell({ watch: pid });
      for (const folder of this.#folders) this.#tell({ remove: folder });
    });
    return child;
  }
}
