import type { ChildProcess } from 'node:child_process';
import { second } from '../../shared/durations.ts';
import { ChildOutput, type ShownOutput } from './child-output.ts';
import { restartDelay } from './restart-delay.ts';
import { type Program, signalGroup, spawnChild } from './spawn-child.ts';
import { StackError } from './stack-error.ts';
import { Watchdog } from './watchdog.ts';

/** A process that the supervisor keeps running. */
export interface Service {
  name: string;
  program: Program;
  shownOutput?: ShownOutput;
  /** Called once, when the services before are ready. */
  prepare?: () => Promise<void>;
  /**
   * Resolves when the service is ready. Without this function, a service is ready when it is
   * started.
   */
  ready?: (signal: AbortSignal) => Promise<void>;
}

export interface SupervisorOptions {
  /** In the order of their start. They are stopped in reverse order. */
  services: readonly Service[];
  logsDirectory: string;
  /** Prints a line to the console. */
  print: (line: string) => void;
  readyLimitMs?: number;
  stopLimitMs?: number;
}

interface Child {
  service: Service;
  output: ChildOutput;
  process?: ChildProcess;
  closed: Promise<void>;
  startedAt: number;
  lastDelay?: number;
  timer?: NodeJS.Timeout;
}

/**
 * Starts services one after the other, keeps them running and stops them in reverse order. A
 * service that crashes is reported and restarted after a delay, which increases with repeated
 * crashes.
 */
export class Supervisor {
  readonly #options: Required<SupervisorOptions>;
  readonly #watchdog = new Watchdog();
  readonly #children: Child[] = [];
  readonly #starting = new AbortController();
  #state: 'starting' | 'running' | 'stopping' = 'starting';
  #hasStarted = false;
  #stopped: Promise<void> | undefined;
  #killed = false;

  constructor(options: SupervisorOptions) {
    this.#options = { readyLimitMs: 60 * second, stopLimitMs: 15 * second, ...options };
  }

  /**
   * Starts every service when the previous service is ready.
   * @throws StackError if a service ends or does not become ready. It contains the last message of
   * the service, if any.
   */
  async start(): Promise<void> {
    const { services, logsDirectory, print } = this.#options;
    for (const service of services) {
      await service.prepare?.();
      const output = await ChildOutput.open(service.name, logsDirectory, service.shownOutput ?? 'all', (line) => {
        // A failed start prints only the sentence of its error.
        if (this.#hasStarted) print(line);
      });
      this.#starting.signal.throwIfAborted();
      const child: Child = { service, output, closed: Promise.resolve(), startedAt: 0 };
      this.#children.push(child);
      this.#spawn(child);
      await this.#waitUntilReady(child);
    }
    this.#state = 'running';
    this.#hasStarted = true;
  }

  /**
   * Stops the services in reverse order and waits until all have ended. Further calls wait for the
   * first call.
   */
  stop(): Promise<void> {
    this.#stopped ??= this.#stopAll();
    return this.#stopped;
  }

  /** Kills all services at once, which also ends a `stop` in progress. */
  kill(): void {
    this.#killed = true;
    for (const { process: running } of this.#children)
      if (running?.pid !== undefined) signalGroup(running.pid, 'SIGKILL');
  }

  /** The process ids of the running services, by name. */
  processIds(): Record<string, number> {
    return Object.fromEntries(
      this.#children.flatMap(({ service, process: running }) =>
        running?.pid === undefined ? [] : [[service.name, running.pid]],
      ),
    );
  }

  #spawn(child: Child): void {
    const running = spawnChild(child.service.program, this.#watchdog);
    child.process = running;
    child.startedAt = Date.now();
    if (running.stdout) child.output.read(running.stdout);
    if (running.stderr) child.output.read(running.stderr);
    child.closed = new Promise((resolve) => {
      const ended = (cause: string) => {
        delete child.process;
        child.output.flush();
        resolve();
        this.#handleEnd(child, cause);
      };
      running.once('error', (error) => {
        if (running.pid === undefined) ended(error.message);
      });
      running.once('close', (code, signal) => ended(signal === null ? `exit code ${code}` : `killed by ${signal}`));
      // A descendant in another process group can keep the pipes open. Its output is dropped.
      running.once('exit', () => setTimeout(() => destroyPipes(running), second).unref());
    });
  }

  #handleEnd(child: Child, cause: string): void {
    const { service, output } = child;
    if (this.#state === 'stopping') return;
    if (this.#state === 'starting') {
      const message = output.takeLastMessage();
      // The last message of a killed child does not describe why the child ended.
      const ownMessage = cause.startsWith('exit code') ? message : undefined;
      const reason = ownMessage ?? `${service.name} stopped at start (${cause}), see ${output.path}.`;
      this.#starting.abort(new StackError(reason));
      return;
    }
    const delay = restartDelay(child.lastDelay, Date.now() - child.startedAt);
    child.lastDelay = delay;
    this.#options.print(`${service.name} stopped (${cause}), restarting in ${delay / second} s`);
    child.timer = setTimeout(() => this.#spawn(child), delay);
  }

  async #waitUntilReady({ service, output }: Child): Promise<void> {
    const { readyLimitMs } = this.#options;
    const timeout = AbortSignal.timeout(readyLimitMs);
    const signal = AbortSignal.any([this.#starting.signal, timeout]);
    try {
      if (service.ready) await Promise.race([service.ready(signal), rejectOnAbort(signal)]);
    } catch (error) {
      // If the child has ended, its error explains more than the error of the ready check.
      this.#starting.signal.throwIfAborted();
      if (!timeout.aborted) throw error;
      throw new StackError(`${service.name} was not ready within ${readyLimitMs / second} s, see ${output.path}.`);
    }
    this.#starting.signal.throwIfAborted();
  }

  async #stopAll(): Promise<void> {
    this.#state = 'stopping';
    this.#starting.abort(new StackError('The stack was stopped during its start.'));
    for (const child of this.#children) clearTimeout(child.timer);
    for (const child of [...this.#children].reverse()) await this.#stopOne(child);
    await this.#watchdog.close();
    for (const { output } of this.#children) await output.close();
  }

  async #stopOne(child: Child): Promise<void> {
    const running = child.process;
    if (running?.pid === undefined) return;
    const { pid } = running;
    if (this.#killed) signalGroup(pid, 'SIGKILL');
    else running.kill('SIGTERM');
    const timer = setTimeout(() => {
      this.#options.print(
        `${child.service.name} did not stop within ${this.#options.stopLimitMs / second} s and is killed`,
      );
      signalGroup(pid, 'SIGKILL');
    }, this.#options.stopLimitMs);
    await child.closed;
    clearTimeout(timer);
  }
}

function destroyPipes(child: ChildProcess): void {
  child.stdout?.destroy();
  child.stderr?.destroy();
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
}
