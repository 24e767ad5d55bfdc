import type { EntryToStore } from '../batch-text.ts';

/** Bounds of what is read of a body. */
export interface EntryLimits {
  readonly entries: number;
  /** Of an entry, as are levels and fields; fields and items of all levels count. */
  readonly bytes: number;
  readonly levels: number;
  readonly fields: number;
}

/** Levels of objects and lists in an entry. */
export const maxLevels = 32;

export const strictLimits = (maxBytes: number): EntryLimits => ({
  entries: 1000,
  bytes: maxBytes,
  levels: maxLevels,
  fields: 1000,
});

/**
 * Only bytes limit a loose body, but each entry counts as 64 of them at least. A message of 256 KiB
 * takes up to six times as many bytes when escaped.
 */
export const looseLimits = (maxBytes: number): EntryLimits => ({
  entries: Math.floor(maxBytes / 64),
  bytes: 2 * 1024 * 1024,
  levels: maxLevels,
  fields: 10_000,
});

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
