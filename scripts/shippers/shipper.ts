import type { Writable } from 'node:stream';
import type { ToolFolder } from './tool-folder.ts';

/** A log shipper or a logger that docs/log-shippers.md has a configuration for. */
export interface Shipper {
  /** The heading in docs/log-shippers.md. */
  readonly name: string;
  /** @returns null if the tool is not installed. */
  find(tools: ToolFolder): Promise<FoundShipper | null>;
  /** The most that a run with this outcome can lose or send twice. */
  bound(facts: RunFacts): Bound;
}

export interface FoundShipper {
  readonly version: string;
  /** Starts it with the configuration of the document, adapted to this run. */
  start(configuration: string, run: ShipperRun): Promise<RunningShipper>;
}

interface ShipperRun {
  /** A folder of this run alone, for files and state. */
  readonly directory: string;
  /** The log file that the configuration names. */
  readonly logFile: string;
}

export interface RunningShipper {
  /** Gets the lines; if it is absent, they are appended to the log file. */
  readonly input?: Writable;
  /** Whether the tool ends by itself at the end of its input. */
  readonly endsWithInput?: boolean;
  /** The last lines of its output. */
  output(): string;
  stop(): Promise<void>;
}

/** The outcome of a run. */
export interface RunFacts {
  /** Whether web was killed, so that requests in progress lost their responses. */
  readonly isWebKilled: boolean;
  readonly webRestarts: number;
  /**
   * Lines that were logged from two seconds before web was stopped until two seconds after it
   * responded again.
   */
  readonly linesWithoutWeb: number;
}

/** In lines. */
export interface Bound {
  readonly promise: string;
  readonly lost: number;
  readonly twice: number;
}

/**
 * A tool that repeats a request until it gets its response: a lost response counts one batch twice.
 */
export const atLeastOnce =
  (batch: number) =>
  ({ isWebKilled, webRestarts }: RunFacts): Bound => ({
    promise: `none lost; twice: at most ${batch} per lost response`,
    lost: 0,
    twice: isWebKilled ? webRestarts * batch : 0,
  });
