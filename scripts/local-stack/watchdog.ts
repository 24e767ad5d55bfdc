import { type ChildProcess, spawn } from 'node:child_process';
import { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('./watchdog.mjs', import.meta.url));

/**
 * Ensures that child processes do not outlive this process, even if it is killed by SIGKILL. A
 * separate process, the watchdog, has the ids of the children, and stops them when its pipe to this
 * process is closed.
 */
export class Watchdog {
  #process: ChildProcess | undefined;

  /** Stops a process, the leader of a process group, when this process ends. */
  watch(pid: number): void {
    this.#send({ watch: pid });
  }

  /** Removes the id of a process that has ended, because ids can be reused. */
  unwatch(pid: number): void {
    this.#send({ unwatch: pid });
  }

  /** Removes a folder when this process ends. */
  removeAtEnd(folder: string): void {
    this.#send({ remove: folder });
  }

  /** Stops the processes that are still watched, removes the folders, and ends the watchdog. */
  async close(): Promise<void> {
    const running = this.#process;
    if (running?.stdin?.writable !== true) return;
    running.ref();
    await new Promise<void>((resolve) => {
      running.once('exit', () => resolve());
      running.stdin?.end();
    });
  }

  #send(message: object): void {
    this.#process ??= start();
    if (this.#process.stdin?.writable) this.#process.stdin.write(`${JSON.stringify(message)}\n`);
  }
}

function start(): ChildProcess {
  const child = spawn(process.execPath, [program], { detached: true, stdio: ['pipe', 'ignore', 'ignore'], env: {} });
  child.unref();
  if (child.stdin instanceof Socket) child.stdin.unref();
  child.stdin?.on('error', () => {});
  child.on('error', () => {});
  return child;
}
