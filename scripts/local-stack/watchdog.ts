import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('./watchdog.mjs', import.meta.url));

/**
 * Makes sure that started processes never outlive this one, also when it is killed with SIGKILL: a small process of its
 * own knows their ids and stops them as soon as the channel to this one breaks.
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
    if (running === undefined || running.exitCode !== null || running.signalCode !== null) return;
    running.ref();
    await new Promise<void>((resolve) => {
      running.once('exit', () => resolve());
      running.disconnect();
    });
  }

  #tell(message: object): void {
    this.#process ??= this.#start();
    if (this.#process.connected) this.#process.send(message);
  }

  #start(): ChildProcess {
    const child = fork(program, [], { detached: true, stdio: 'ignore', execArgv: [], env: {} });
    child.unref();
    child.channel?.unref();
    child.on('error', () => {});
    child.once('exit', () => {
      this.#process = undefined;
      if (this.#closed) return;
      for (const pid of this.#watched) this.#tell({ watch: pid });
      for (const folder of this.#folders) this.#tell({ remove: folder });
    });
    return child;
  }
}
