import { appendFileSync, writeFileSync } from 'node:fs';

// The history of a run: a line of JSON for each request with its response, each fault, and what was
// read at the end. The judge knows nothing else. All times are milliseconds of one clock, from the start.

/** Collections whose changes have audit records. */
export type CollectionName = 'scenarios' | 'users' | 'keys';

export type Action =
  /**
   * Sends the messages `<prefix> 0` to `<prefix> <count - 1>`. A 202 says that they are accepted, a
   * 200 that they are `accepted` or, after a wait for a worker, `counted`.
   */
  | { kind: 'entries'; scenario: string; prefix: string; count: number; promise: 'counted' | 'accepted' }
  | { kind: 'create'; collection: CollectionName; name: string }
  | { kind: 'delete'; collection: CollectionName; name: string }
  /** Reads how many entries the metrics of a scenario count, and how many are pending. */
  | { kind: 'count'; scenario: string }
  | { kind: 'start' };

/** An attempt at an operation. Its repeats have the same operation. */
export interface AttemptLine {
  type: 'attempt';
  operation: number;
  /** The `X-Request-ID` of the attempt. */
  request: string;
  /** Whether all attempts have the same `Idempotency-Key`. */
  isKeyed: boolean;
  action: Action;
  sentAt: number;
  endedAt: number;
  /** Null without a response: the attempt can still take effect. */
  status: number | null;
  code?: string;
  hasRetryAfter?: boolean;
  /** The entries that count, which a `count` has read. */
  seen?: number;
  /** The entries that are accepted and not counted, which a `count` has read. */
  pending?: number;
}

export interface AuditLine {
  request: string;
  type: string;
  seq: number;
  hash: string;
  previousHash: string;
  isInterrupted: boolean;
}

/** The final reads, when the load and the faults had ended, and the queues were empty. */
export type FinalLine = { type: 'final' } & (
  | { what: 'entries'; scenario: string; counted: number; hashes: string[] }
  /** `pending`: requests that did not close their event, whose record follows in ten minutes. */
  | { what: 'audit'; isValid: boolean; records: AuditLine[]; pending?: string[] }
  /** Jobs, locks and batches that are left two minutes after the end. */
  | { what: 'leftovers'; names: string[] }
);

export type HistoryLine =
  | { type: 'run'; seed: number; seconds: number }
  | { type: 'fault'; name: string; from: number; to: number }
  | AttemptLine
  | FinalLine;

/** A history that is written while the run goes on, so that an interrupted run leaves its file. */
export class History {
  readonly lines: HistoryLine[] = [];
  readonly #path: string;
  readonly #start = performance.now();

  constructor(path: string) {
    this.#path = path;
    writeFileSync(path, '');
  }

  now(): number {
    return Math.round((performance.now() - this.#start) * 1000) / 1000;
  }

  add(line: HistoryLine): void {
    this.lines.push(line);
    appendFileSync(this.#path, `${JSON.stringify(line)}\n`);
  }
}
