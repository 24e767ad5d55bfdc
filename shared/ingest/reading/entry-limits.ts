import type { JsonLimits } from '../../json/json-scanner.ts';
import type { EntryToStore } from '../batch-text.ts';

/** Every one of them bounds the time that a body takes before it is refused. */
export const bodyLimits: JsonLimits = { entries: 1000, levels: 32, fields: 1000, values: 100_000 };

/**
 * Bytes that an entry counts in a loose body at least: only bytes limit it, but no entry is free.
 */
const leastEntryBytes = 64;

/** The limits of a loose body of at most so many bytes. */
export const looseLimits = (maxBytes: number): JsonLimits => ({
  entries: Math.floor(maxBytes / leastEntryBytes),
  levels: bodyLimits.levels,
  fields: 10_000,
  values: maxBytes,
});

/**
 * Bytes of an entry that is parsed in a loose body: a message of 256 KiB takes up to six times as
 * many when escaped.
 */
export const maxLooseEntryBytes = 2 * 1024 * 1024;
export const maxMessageBytes = 256 * 1024;
/** A validated log entry: aliases resolved, the time in epoch milliseconds if one was sent. */
export type LogEntryInput = Omit<EntryToStore, 'index'>;

/** How lines of text become entries. */
export interface LineOptions {
  time: 'line' | 'arrival';
  /** The name of a zone in the IANA database. */
  zone: string;
  join: 'none' | 'trace';
}

/** Gets what entries cost before they are parsed. */
export interface ReadingCost {
  /** @param bytes of the body, unpacked. @param entries count `entryBytes` each. */
  add(bytes: number, entries: number): void;
}
