import { EventEmitter } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import type { Scheduler } from 'fast-check';
import type { Redis } from 'ioredis';

/** Keys whose state a failover can bring back. */
export interface TrackedKeys {
  strings: readonly string[];
  sortedSet: string;
}

interface Snapshot {
  strings: (string | null)[];
  members: string[];
}

/**
 * A Redis whose failovers lose the latest changes, and all connections. A real one carries out the
 * commands.
 */
export class ScheduledRedis {
  readonly #real: Redis;
  readonly #scheduler: Scheduler;
  readonly #keys: TrackedKeys;
  readonly #connections: ScheduledConnection[] = [];
  readonly #history: Snapshot[] = [];
  /** Commands at the real Redis. */
  readonly #inFlight = new Set<Promise<unknown>>();

  constructor(real: Redis, scheduler: Scheduler, keys: TrackedKeys) {
    this.#real = real;
    this.#scheduler = scheduler;
    this.#keys = keys;
  }

  connect(process: string): ScheduledConnection {
    const connection = new ScheduledConnection(process, this.#scheduler, (command) => this.#carryOut(command));
    this.#connections.push(connection);
    return connection;
  }

  /** Brings the state of so many commands ago back, and ends the connections. */
  async failOver(undone: number): Promise<void> {
    const snapshot = this.#history.at(-1 - undone);
    for (const connection of this.#connections) connection.lose();
    await this.#atReal(async () => {
      const { strings, sortedSet } = this.#keys;
      const transaction = this.#real.multi();
      transaction.del(...strings, sortedSet);
      for (const [index, key] of strings.entries()) {
        const value = snapshot?.strings[index];
        if (typeof value === 'string') transaction.set(key, value);
      }
      const members = snapshot?.members ?? [];
      for (let at = 0; at < members.length; at += 2)
        transaction.zadd(sortedSet, members[at + 1] ?? '0', members[at] ?? '');
      await transaction.exec();
    });
  }

  async #carryOut<T>(command: (redis: Redis) => Promise<T>): Promise<T> {
    return this.#atReal(async () => {
      const { strings, sortedSet } = this.#keys;
      const reply = await command(this.#real);
      const [values, members] = await Promise.all([
        this.#real.mget(...strings),
        this.#real.zrange(sortedSet, '0', '-1', 'WITHSCORES'),
      ]);
      this.#history.push({ strings: values, members });
      return reply;
    });
  }

  /** Waits until every command at the real Redis has its reply, and what follows it has run. */
  async settle(): Promise<void> {
    while (this.#inFlight.size > 0) {
      await Promise.allSettled(this.#inFlight);
      await turn();
    }
  }

  async #atReal<T>(work: () => Promise<T>): Promise<T> {
    const working = work();
    this.#inFlight.add(working);
    try {
      return await working;
    } finally {
      this.#inFlight.delete(working);
    }
  }
}

/**
 * The connection of a process, like one of ioredis: a command waits while there is no connection,
 * and one without a reply is sent again over the next connection.
 */
export class ScheduledConnection extends EventEmitter {
  status = 'ready';
  readonly #process: string;
  readonly #scheduler: Scheduler;
  readonly #carryOut: <T>(command: (redis: Redis) => Promise<T>) => Promise<T>;
  #connected: Promise<void> = Promise.resolve();
  #number = 0;

  constructor(
    process: string,
    scheduler: Scheduler,
    carryOut: <T>(command: (redis: Redis) => Promise<T>) => Promise<T>,
  ) {
    super();
    this.#process = process;
    this.#scheduler = scheduler;
    this.#carryOut = carryOut;
  }

  eval(script: string, keys: number, ...rest: string[]): Promise<unknown> {
    return this.#send('eval', (redis) => redis.eval(script, keys, ...rest));
  }

  del(key: string): Promise<unknown> {
    return this.#send('del', (redis) => redis.del(key));
  }

  set(key: string, value: string, unit: 'PX', lifetime: number): Promise<unknown> {
    return this.#send('set', (redis) => redis.set(key, value, unit, lifetime));
  }

  /** Ends the connection; the next one is a later step. */
  lose(): void {
    this.#number += 1;
    this.status = 'reconnecting';
    this.emit('close');
    this.#connected = this.#connect(this.#number);
  }

  async #connect(number: number): Promise<void> {
    await this.#scheduler.schedule(Promise.resolve(), `${this.#process}: connect`);
    if (number !== this.#number) return;
    this.status = 'ready';
    this.emit('ready');
  }

  async #send<T>(label: string, command: (redis: Redis) => Promise<T>): Promise<T> {
    for (;;) {
      await this.#connected;
      await this.#scheduler.schedule(Promise.resolve(), `${this.#process}: ${label}`);
      if (this.status !== 'ready') continue;
      const number = this.#number;
      const reply = await this.#carryOut(command);
      await this.#scheduler.schedule(Promise.resolve(), `${this.#process}: reply to ${label}`);
      if (number === this.#number) return reply;
    }
  }
}
