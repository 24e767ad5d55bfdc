import { type FieldError, validationError } from '../../errors.ts';
import { bodyError, maxFieldErrors } from '../../json/field-errors.ts';
import { notJson } from '../../json/json-fault.ts';
import type { ByteRange } from '../../json/json-scanner.ts';
import type { JsonBodyForm } from './body-form.ts';
import { type EntryRules, faultError, type ParsedEntries } from './entry-rules.ts';
import { BulkCheck, bulkError, type Envelope } from './envelopes.ts';
import type { LooseEntry } from './loose-entry.ts';

/** An entry of a body, before the rules say whether it is a log entry. */
export type ParsedEntry = ByteRange &
  (
    | { state: 'parsed'; value: unknown; text: string; isSuspicious: boolean; canHaveUsage: boolean }
    | { state: 'notJson'; isBlank: boolean; describe: () => string }
    | { state: 'excessive'; error: FieldError }
    | { state: 'envelope'; envelope: Envelope }
  );

/** Collects the entries of a body in JSON, and decides whether the body as a whole is valid. */
export class EntryCollector {
  readonly #rules: EntryRules;
  readonly #form: JsonBodyForm;
  readonly #entries: ParsedEntries;
  readonly #bulk = new BulkCheck();
  #count = 0;
  #errors = 0;
  #notJson = 0;
  #envelopes = 0;

  /** @param single whether one entry was sent, not a list. */
  constructor(rules: EntryRules, form: JsonBodyForm, single: boolean) {
    this.#rules = rules;
    this.#form = form;
    this.#entries = { single, valid: [], positions: [], invalid: [], blank: 0, timed: 0, usageUnread: 0 };
  }

  /**
   * Adds an entry, unless it is a request of OpenTelemetry.
   * @returns true if it is one, whose log records are to be added instead.
   */
  add(parsed: ParsedEntry): boolean {
    this.#bulk.add(parsed.state === 'parsed' ? parsed.value : parsed.state === 'notJson' ? undefined : {});
    // Every invalid entry is named, but only the first few in full: a body of errors must not cost
    // more than a valid one.
    const result = applyRules(parsed, this.#rules, this.#errors >= maxFieldErrors);
    if (result === 'blank' || !('envelope' in result)) {
      if (parsed.state === 'notJson') this.#notJson += 1;
      this.addResult(result);
      return false;
    }
    if (result.envelope === 'otlp') {
      this.#entries.single = false;
      return true;
    }
    this.#envelopes += 1;
    this.addResult({ errors: [{ field: 'body', error: result.envelope.error }] });
    return false;
  }

  /** Adds what the rules made of a value. */
  addResult(result: LooseEntry): void {
    if (result === 'blank') this.#entries.blank += 1;
    else if ('value' in result) {
      this.#entries.valid.push(result.value);
      this.#entries.positions.push(this.#count);
      if (result.value.timestamp !== undefined) this.#entries.timed += 1;
      if (result.value.usageUnread) this.#entries.usageUnread += 1;
    } else {
      this.#errors += result.errors.length;
      this.#entries.invalid.push({ index: this.#count, errors: result.errors });
    }
    this.#count += 1;
    if (this.#count > this.#rules.limits.entries) throw faultError('entries', this.#rules);
  }

  /** @throws AppError VALIDATION_ERROR if the body as a whole is not valid. */
  finish(): ParsedEntries {
    const count = this.#count;
    const { single, invalid, blank } = this.#entries;
    const { isLenient } = this.#rules;
    if (this.#bulk.isBulkRequest) throw bodyError(bulkError);
    // Beside log entries, an envelope is rejected by itself.
    const isOnlyEnvelopes = this.#envelopes > 0 && this.#envelopes === count - blank;
    if (isOnlyEnvelopes) throw validationError(invalid[0]?.errors ?? []);
    if (count === 0 && single) throw bodyError('is required');
    // A shipper cannot correct an empty list.
    if (count === 0 && (!isLenient || this.#form === 'lines')) throw bodyError('must hold at least one log entry');
    if (count > 0 && this.#notJson === count && isLenient) throw validationError(invalid[0]?.errors ?? []);
    return this.#entries;
  }
}

function applyRules(parsed: ParsedEntry, rules: EntryRules, onlyFirst: boolean): ReturnType<EntryRules['read']> {
  if (parsed.state === 'envelope') return parsed;
  if (parsed.state === 'notJson') {
    return { errors: [{ field: 'body', error: onlyFirst ? notJson : parsed.describe() }] };
  }
  if (parsed.state === 'excessive') return { errors: [parsed.error] };
  const { value, text, isSuspicious, canHaveUsage } = parsed;
  return rules.read(value, { text, isSuspicious, canHaveUsage, onlyFirst });
}
