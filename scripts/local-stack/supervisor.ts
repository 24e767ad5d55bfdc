import type { ChildProcess } from 'node:child_process';
import { second } from '../../shared/durations.ts';
import { ChildOutput, type ShownOutput } from './child-output.ts';
import { restartDelay } from './restart-delay.ts';
import { type Program, signalGroup, spawnChild } from './spawn-child.ts';
import { StackError } from './stack-error.ts';
import { Watchdog } from './watchdog.ts';

/** A process that is kept running. */
export interface Service {
  name: string;
  program: Program;
  shownOutput?: ShownOutput;
  /** Resolves when the service serves. Without it, a service that has been started counts as ready. */
  ready?: (signal: AbortSignal) => Promise<void>;
}

export interface SupervisorOptions {
  /** In the order of their start; they are stopped in the reverse order. */
  services: readonly Service[];
  logsDirectory: string;
  /** Takes the lines that a person should see. */
  say: (line: string) => void;
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
 * Starts services one after the other, keeps them running and stops them in reverse order. A crash after the start is
 * reported by name and answered by a new start, after a pause that grows while it keeps crashing.
 */
export class Supervisor {
  readonly #options: Required<SupervisorOptions>;
  readonly #watchdog = new Watchdog();
  readonly #children: Child[] = [];
  readonly #starting = new AbortController();
  #state: 'starting' | 'running' | 'stopping' = 'starting';
  #wasUp = false;
  #stopped: Promise<void> | undefined;
  #killed = false;

  constructor(options: SupervisorOptions) {
    this.#options = { readyLimitMs: 60 * second, stopLimitMs: 15 * second, ...options };
  }

  /**
   * Starts every service, each when the one before is ready.
   * @throws StackError with the child's own sentence when one of them ends or does not become ready.
   */
  async start(): Promise<void> {
    const { services, logsDirectory, say } = this.#options;
    for (const service of services) {
      const output = await ChildOutput.open(service.name, logsDirectory, service.shownOutput ?? 'all', (line) => {
        // Of a start that fails, one sentence is shown, not what every child says about it.
        if (this.#wasUp) say(line);
      });
      this.#starting.signal.throwIfAborted();
      const child: Child = { service, output, closed: Promise.resolve(), startedAt: 0 };
      this.#children.push(child);
      this.#spawn(child);
      await this.#untilReady(child);
    }
    this.#state = 'running';
    this.#wasUp = true;
  }

  /** Stops the services, the last started first, and resolves when none is left. Further calls wait for the first. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stopAll();
    return this.#stopped;
  }

  /** Kills every service at once; a `stop` under way then ends quickly. */
  kill(): void {
    this.#killed = true;
    for (const { process: running } of this.#children)
      if (running?.pid !== undefined) signalGroup(running.pid, 'SIGKILL');
  }

  /** The ids of the services' processes by name, as far as they run now. */
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
      const ended = (how: string) => {
        delete child.process;
        child.output.flush();
        resolve();
        this.#afterEnd(child, how);
      };
      running.once('error', (error) => {
        if (running.pid === undefined) ended(error.message);
      });
      running.once('close', (code, signal) => ended(signal === null ? `exit code ${code}` : `killed by ${signal}`));
      // A grandchild in a group of its own may hold the pipes; what it says is not waited for.
      running.once('exit', () => setTimeout(() => destroyPipes(running), second).unref());
    });
  }

  #afterEnd(child: Child, how: string): void {
    const { service, output } = child;
    if (this.#state === 'stopping') return;
    if (this.#state === 'starting') {
      const words = output.takeLastWords();
      // A child that was killed had no chance to say why; its last words are about something else.
      const said = how.startsWith('exit code') ? words : undefined;
      const reason = said ?? `${service.name} stopped at start (${how}), see ${output.path}.`;
      this.#starting.abort(new StackError(reason));
      return;
    }
    const delay = restartDelay(child.lastDelay, Date.now() - child.startedAt);
    child.lastDelay = delay;
    this.#options.say(`${service.name} stopped (${how}), restarting in ${delay / second} s`);
    child.timer = setTimeout(() => this.#spawn(child), delay);
  }

  async #untilReady({ service, output }: Child): Promise<void> {
    const { readyLimitMs } = this.#options;
    const limit = AbortSignal.timeout(readyLimitMs);
    const signal = AbortSignal.any([this.#starting.signal, limit]);
    try {
      if (service.ready) await Promise.race([service.ready(signal), rejectOn(signal)]);
    } catch (error) {
      // The child's end is the better reason, whatever its ready check has thrown.
      this.#starting.signal.throwIfAborted();
      if (!limit.aborted) throw error;
      throw new StackError(`${service.name} was not ready within ${readyLimitMs / second} s, see ${output.path}.`);
    }
    this.#starting.signal.throwIfAborted();
  }

  async #stopAll(): Promise<void> {
    this.#state = 'stopping';
    this.#starting.abort(new StackError('Stopped before everything was up.'));
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
      this.#options.say(`${child.service.name} did not stop in ${this.#options.stopLimitMs / second} s and is killed`);
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

function rejectOn(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const refuse = () => reject(signal.reason);
    if (signal.aborted) refuse();
    else signal.addEventListener('abort', refuse, { once: true });
  });
}
