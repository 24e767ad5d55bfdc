import { AppError, type FieldError } from '../../errors.ts';
import { bodyError, maxFieldErrors } from '../../json/field-errors.ts';
import type { LogEntryInput } from '../batch-text.ts';
import type { ReadUsage } from '../model-usage/read-model-usage.ts';
import type { Envelope } from './envelopes.ts';

/** What rules make of a value: an entry, its errors, or an entry without a message. */
export type ReadEntry = { value: LogEntryInput; isTimeRefused?: boolean } | { errors: FieldError[] } | 'blank';

/** Bounds of what is read of a body. */
export interface EntryLimits {
  readonly entries: number;
  /** Of an entry, as are levels and fields; fields and items of all levels count. */
  readonly bytes: number;
  readonly levels: number;
  readonly fields: number;
}

/** A line of text with what it says about itself. */
export type TextLine = Pick<LogEntryInput, 'message' | 'timestamp' | 'level'>;

/** Rules that say which values are log entries, and what happens to the others. */
export interface EntryRules {
  readonly limits: EntryLimits;
  /** Whether a part that is not JSON or not UTF-8 only rejects the entry that it is in. */
  readonly isLenient: boolean;
  readonly readUsage: ReadUsage;
  /** @param text the JSON of the value. @param onlyFirst whether its first error is enough. */
  read(value: unknown, text: string, onlyFirst: boolean): ReadEntry | { envelope: Envelope };
  readLine(line: TextLine, onlyFirst: boolean): ReadEntry;
}

/** The entries of a request body, each valid or with its errors. */
export class EntryList {
  /** Whether one entry was sent, not a list. */
  single = false;
  valid: LogEntryInput[] = [];
  /** The positions of the valid entries in the request. */
  readonly positions: number[] = [];
  readonly invalid: { index: number; errors: FieldError[] }[] = [];
  /** Entries without a message, which are skipped. */
  blank = 0;
  /** Valid entries whose own time is used. */
  timed = 0;
  /** Valid log records of OpenTelemetry with a time that is not plausible. */
  refusedTimes = 0;
  /** Valid entries with a usage that is not understood. */
  usageUnread = 0;
  readonly rules: EntryRules;
  #errors = 0;

  constructor(rules: EntryRules) {
    this.rules = rules;
  }

  get count(): number {
    return this.positions.length + this.invalid.length + this.blank;
  }

  /** Whether an entry's first error is enough, so that errors cost no more than valid entries. */
  get isFull(): boolean {
    return this.#errors >= maxFieldErrors;
  }

  /** @throws AppError VALIDATION_ERROR or PAYLOAD_TOO_LARGE if there are too many. */
  add(entry: ReadEntry, isTimed = true): void {
    const { limits, isLenient } = this.rules;
    const index = this.count;
    if (index >= limits.entries) {
      const most = `must hold at most ${limits.entries} log entries`;
      throw isLenient ? new AppError('PAYLOAD_TOO_LARGE', `The body ${most}.`) : bodyError(most);
    }
    if (entry === 'blank') this.blank += 1;
    else if ('value' in entry) {
      this.valid.push(entry.value);
      this.positions.push(index);
      if (isTimed && entry.value.timestamp !== undefined) this.timed += 1;
      if (entry.isTimeRefused) this.refusedTimes += 1;
      if (entry.value.usageUnread) this.usageUnread += 1;
    } else {
      this.#errors += entry.errors.length;
      this.invalid.push({ index, errors: entry.errors });
    }
  }
}

/** The errors of all entries: `message` of a single one, `[3].message` of the fourth. */
export function fieldErrorsOf({ single, invalid }: Pick<EntryList, 'single' | 'invalid'>): FieldError[] {
  return invalid.flatMap(({ index, errors }) =>
    errors.map(({ field, error }) => ({
      field: single ? field : field === 'body' ? `[${index}]` : `[${index}].${field}`,
      error,
    })),
  );
}
