import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { second } from '../../shared/durations.ts';
import { StartError } from '../../shared/errors.ts';
import { openChildLog } from './child-log.ts';
import { type Program, signalGroup, spawnChild } from './child-process.ts';

const restartDelay = 0.5 * second;

/** A process that the supervisor keeps running. */
export interface Service {
  name: string;
  program: Program;
  /** Whether its output is written to the log file only. */
  isSilent?: boolean;
  /** Resolves when the service is ready. Without it, a service is ready when it is started. */
  ready?: (signal: AbortSignal) => Promise<void>;
}

interface SupervisorOptions {
  logsDirectory: string;
  /** Prints a line to the console. */
  print: (line: string) => void;
  readyLimitMs?: number;
  stopLimitMs?: number;
}

interface Child {
  service: Service;
  log: ReturnType<typeof openChildLog>;
  /** Undefined while it waits for its restart. */
  process?: ChildProcess;
  closed: Promise<void>;
  /** Until the service is ready, its end is a failed start. */
  starting: AbortController | undefined;
  timer?: NodeJS.Timeout;
}

/** Starts services, starts them again when they end, and stops them in reverse order. */
export class Supervisor {
  readonly #options: Required<SupervisorOptions>;
  readonly #children: Child[] = [];
  #isStopping = false;

  constructor(options: SupervisorOptions) {
    this.#options = { readyLimitMs: 60 * second, stopLimitMs: 15 * second, ...options };
  }

  /**
   * Starts each service once the one before is ready. `stop` stops those that were started before
   * an error.
   * @param signal ends the start.
   * @throws StartError if a service ends or is not ready in time.
   */
  async start(services: readonly Service[], signal?: AbortSignal): Promise<void> {
    for (const service of services) {
      signal?.throwIfAborted();
      const log = openChildLog(service.name, this.#options.logsDirectory, (line) => {
        if (!service.isSilent) this.#options.print(line);
      });
      const starting = service.ready && new AbortController();
      const child: Child = { service, log, closed: Promise.resolve(), starting };
      this.#children.push(child);
      this.#spawn(child);
      if (service.ready) await this.#waitUntilReady(child, service.ready, signal);
      child.starting = undefined;
    }
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    for (const { timer } of this.#children) clearTimeout(timer);
    for (const child of this.#children.toReversed()) await this.#stopOne(child);
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
    const running = spawnChild(child.service.program);
    child.process = running;
    if (running.stdout) child.log.read(running.stdout);
    if (running.stderr) child.log.read(running.stderr);
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
      const pipes = [running.stdout, running.stderr];
      running.once('exit', () => setTimeout(() => pipes.map((pipe) => pipe?.destroy()), second).unref());
    });
  }

  #handleEnd(child: Child, cause: string): void {
    const { service, log, starting } = child;
    if (this.#isStopping) return;
    if (starting) {
      starting.abort(new StartError(`${service.name} stopped at start (${cause}), see ${log.path}.`));
      return;
    }
    this.#options.print(`${service.name} stopped (${cause}), restarting in ${restartDelay / second} s`);
    child.timer = setTimeout(() => this.#spawn(child), restartDelay);
  }

  async #waitUntilReady({ service, log, starting }: Child, ready: NonNullable<Service['ready']>, stop?: AbortSignal) {
    const { readyLimitMs } = this.#options;
    const timeout = AbortSignal.timeout(readyLimitMs);
    const signal = AbortSignal.any([timeout, ...(starting ? [starting.signal] : []), ...(stop ? [stop] : [])]);
    await Promise.race([ready(signal), once(signal, 'abort')]).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
    if (!signal.aborted) return;
    if (signal.reason !== timeout.reason) throw signal.reason;
    throw new StartError(`${service.name} was not ready within ${readyLimitMs / second} s, see ${log.path}.`);
  }

  async #stopOne({ service, process: running, closed }: Child): Promise<void> {
    const { print, stopLimitMs } = this.#options;
    if (running?.pid === undefined) return;
    const { pid } = running;
    running.kill('SIGTERM');
    const timer = setTimeout(() => {
      print(`${service.name} did not stop within ${stopLimitMs / second} s and is killed`);
      signalGroup(pid, 'SIGKILL');
    }, stopLimitMs);
    await closed;
    clearTimeout(timer);
  }
}
