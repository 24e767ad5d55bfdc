import type { ChildProcess } from 'node:child_process';
import { second } from '../../shared/durations.ts';
import { ChildOutput } from './child-output.ts';
import { type Program, signalGroup, spawnChild } from './spawn-child.ts';
import { StackError } from './stack-error.ts';
import { Watchdog } from './watchdog.ts';

const [minDelay, maxDelay] = [0.2 * second, 5 * second];
/** After this uptime, the next crash counts as a first crash. */
const stableUptime = 30 * second;

/** A process that the supervisor keeps running. */
export interface Service {
  name: string;
  program: Program;
  /** Whether its output is written to the log file only. */
  isSilent?: boolean;
  /** Called once, when the services before are ready. */
  prepare?: () => Promise<void>;
  /** Resolves when the service is ready. Without it, a service is ready when it is started. */
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
  restartDelay: number;
  timer?: NodeJS.Timeout;
}

/**
 * Starts services one after the other, keeps them running and stops them in reverse order. A
 * service that crashes is reported and restarted after a delay, which doubles with each crash.
 */
export class Supervisor {
  readonly #options: Required<SupervisorOptions>;
  readonly #watchdog = new Watchdog();
  readonly #children: Child[] = [];
  readonly #starting = new AbortController();
  #state: 'starting' | 'running' | 'stopping' = 'starting';
  #stopped: Promise<void> | undefined;
  #isKilled = false;

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
      const output = await ChildOutput.open(service.name, logsDirectory, (line) => {
        // A failed start prints only the sentence of its error.
        if (this.#state !== 'starting' && !service.isSilent) print(line);
      });
      this.#starting.signal.throwIfAborted();
      const child: Child = { service, output, closed: Promise.resolve(), startedAt: 0, restartDelay: minDelay };
      this.#children.push(child);
      this.#spawn(child);
      await this.#waitUntilReady(child);
    }
    this.#state = 'running';
  }

  /** Stops the services in reverse order. Further calls wait for the first call. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stopAll();
    return this.#stopped;
  }

  /** Kills all services at once, which also ends a `stop` in progress. */
  kill(): void {
    this.#isKilled = true;
    for (const pid of Object.values(this.processIds())) signalGroup(pid, 'SIGKILL');
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
      const end = (cause: string) => {
        delete child.process;
        resolve();
        this.#handleEnd(child, cause);
      };
      running.once('error', (error) => {
        if (running.pid === undefined) end(error.message);
      });
      running.once('close', (code, signal) => end(signal === null ? `exit code ${code}` : `killed by ${signal}`));
      // A descendant in another process group can keep the pipes open. Its output is dropped.
      running.once('exit', () => setTimeout(() => destroyPipes(running), second).unref());
    });
  }

  #handleEnd(child: Child, cause: string): void {
    const { service, output } = child;
    if (this.#state === 'stopping') return;
    if (this.#state === 'starting') {
      // The last message of a killed child does not describe why the child ended.
      const message = cause.startsWith('exit code') ? output.takeLastMessage() : undefined;
      const reason = message ?? `${service.name} stopped at start (${cause}), see ${output.path}.`;
      this.#starting.abort(new StackError(reason));
      return;
    }
    if (Date.now() - child.startedAt > stableUptime) child.restartDelay = minDelay;
    const delay = child.restartDelay;
    child.restartDelay = Math.min(2 * delay, maxDelay);
    this.#options.print(`${service.name} stopped (${cause}), restarting in ${delay / second} s`);
    child.timer = setTimeout(() => this.#spawn(child), delay);
  }

  async #waitUntilReady({ service, output }: Child): Promise<void> {
    const { readyLimitMs } = this.#options;
    const timeout = AbortSignal.timeout(readyLimitMs);
    const signal = AbortSignal.any([this.#starting.signal, timeout]);
    const aborted = new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    try {
      await Promise.race([service.ready?.(signal), aborted]);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
    // If the child has ended, its error explains more than the error of the ready check.
    this.#starting.signal.throwIfAborted();
    if (timeout.aborted)
      throw new StackError(`${service.name} was not ready within ${readyLimitMs / second} s, see ${output.path}.`);
  }

  async #stopAll(): Promise<void> {
    this.#state = 'stopping';
    this.#starting.abort(new StackError('The stack was stopped during its start.'));
    for (const child of this.#children) clearTimeout(child.timer);
    for (const child of this.#children.toReversed()) await this.#stopOne(child);
    await this.#watchdog.close();
    for (const { output } of this.#children) await output.close();
  }

  async #stopOne({ service, process: running, closed }: Child): Promise<void> {
    const { print, stopLimitMs } = this.#options;
    if (running?.pid === undefined) return;
    const { pid } = running;
    if (this.#isKilled) signalGroup(pid, 'SIGKILL');
    else running.kill('SIGTERM');
    const timer = setTimeout(() => {
      print(`${service.name} did not stop within ${stopLimitMs / second} s and is killed`);
      signalGroup(pid, 'SIGKILL');
    }, stopLimitMs);
    await closed;
    clearTimeout(timer);
  }
}

function destroyPipes(child: ChildProcess): void {
  child.stdout?.destroy();
  child.stderr?.destroy();
}
