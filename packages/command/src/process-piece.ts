// Reads, scans, counts and groups the entries of a piece of a log, as the service does with the
// entries of a request.
import type { CallLimits, TokenMultipliers } from '../../../shared/cost/price-book.ts';
import { AppError, type FieldError } from '../../../shared/errors.ts';
import type { LogEntryInput } from '../../../shared/ingest/batch-text.ts';
import { addLogRecords } from '../../../shared/ingest/otlp/read-log-records.ts';
import { EntryList } from '../../../shared/ingest/reading/entry-list.ts';
import { looseRules } from '../../../shared/ingest/reading/loose-entry.ts';
import { readEntries } from '../../../shared/ingest/reading/read-entries.ts';
import type { LineOptions } from '../../../shared/ingest/reading/read-text.ts';
import { createTokenCounter } from '../../../shared/metering/count-tokens.ts';
import { meterEntry } from '../../../shared/metering/meter-entry.ts';
import type { TokenRanks } from '../../../shared/metering/token-ranks.ts';
import { findInEntry, findInFields } from '../../../shared/pii/entry-findings.ts';
import type { PiiType } from '../../../shared/pii/pii-kind.ts';
import { redactedPreview } from '../../../shared/pii/redact.ts';
import { createScanner } from '../../../shared/pii/scan-personal-data.ts';
import { type Assumptions, applyDefaults } from '../../../shared/scenarios/assumptions.ts';
import type { BatchUsage } from '../../../shared/usage/stored-hour.ts';
import { UsageTally } from '../../../shared/usage/usage-tally.ts';
import { type Groups, GroupTally } from './groups.ts';
import { type Piece, wholeBytes } from './pieces.ts';

/** By what entries are read and counted. Threads get a copy. */
export interface PieceTerms extends LineOptions {
  assumptions: Assumptions;
  /** The models of the price book. */
  modelIds: ReadonlySet<string>;
  tokenMultipliers: TokenMultipliers;
  callLimits: CallLimits;
  /** The time of entries without one, in epoch milliseconds. */
  arrival: number;
  /** The hours that count, in epoch milliseconds. */
  period: { from: number; to: number };
  tokenRanks: TokenRanks;
}

export interface PiiRow {
  type: PiiType;
  country: string | undefined;
  /** The path of the field, or `message`. */
  field: string;
  findings: number;
  entries: number;
  example: string;
}

export interface Unread {
  /** The number of the entry in the log, from 1. */
  entry: number;
  error: string;
}

export interface PieceResult {
  accepted: number;
  rejected: number;
  skipped: number;
  /** The first rejected entries. */
  errors: Unread[];
  /** Why the piece as a whole is not read. */
  refused: string | undefined;
  usage: BatchUsage;
  groups: Groups;
  pii: PiiRow[];
}

const maxErrors = 5;
/** Characters of a redacted text, of which patterns are made. */
const textCharacters = 500;
const exampleCharacters = 160;
/** A request of the service can have as many bytes. */
const maxBytes = 4 * wholeBytes;

type PieceProcessor = (piece: Piece) => Promise<PieceResult>;

export function createPieceProcessor(terms: PieceTerms): PieceProcessor {
  const { tokenMultipliers, callLimits, arrival, period } = terms;
  const rules = looseRules(terms, maxBytes);
  const tools = { tokenMultipliers, callLimits, countTokens: createTokenCounter(terms.tokenRanks) };
  const scan = createScanner();
  const assumptions = applyDefaults(terms.assumptions);
  const lines = { time: terms.time, zone: terms.zone, join: terms.join, receivedAt: arrival };

  const readPiece = async ({ bytes, form }: Piece): Promise<EntryList> => {
    if (form !== 'protobuf') return readEntries(bytes, form, rules, lines, maxBytes);
    const list = new EntryList(rules);
    await addLogRecords(list, bytes, form, { now: arrival, maxBytes });
    return list;
  };

  return async (piece) => {
    const tally = new UsageTally();
    const groups = new GroupTally(assumptions);
    const pii = new Map<string, PiiRow>();
    const add = (entry: LogEntryInput) => {
      const shared = entry.originFields === undefined ? [] : findInFields(entry.originFields, scan);
      const { inMessage, located } = findInEntry(entry, scan, shared);
      // The entry is changed: a copy takes as long as all else.
      const timed = entry as LogEntryInput & { timed: boolean; timestamp: number };
      timed.timed = entry.timestamp !== undefined;
      timed.timestamp ??= arrival;
      const usage = meterEntry(timed, assumptions, tools);
      const found = located.map(({ type }) => ({ type, count: 1 }));
      tally.add(usage, found);
      if (usage.hour < period.from || usage.hour >= period.to) return;
      const text = redactedPreview(entry.message, inMessage, textCharacters);
      groups.add({ usage, text, source: entry.source, level: entry.level, hasPii: located.length > 0 });
      if (located.length === 0) return;
      const inEntry = new Set<PiiRow>();
      for (const { type, country, path } of located) {
        const field = path === '' ? 'message' : path;
        const key = `${type} ${country} ${field}`;
        const row = pii.get(key) ?? { type, country, field, findings: 0, entries: 0, example: '' };
        pii.set(key, row);
        row.findings += 1;
        if (inEntry.size === inEntry.add(row).size) continue;
        row.entries += 1;
        row.example ||= exampleAround(text, field === 'message');
      }
    };
    let entries: Pick<EntryList, 'valid' | 'invalid' | 'blank'> = { valid: [], invalid: [], blank: 0 };
    let refused: string | undefined;
    try {
      entries = await readPiece(piece);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const errors = error.code === 'VALIDATION_ERROR' ? (error.details as readonly FieldError[]) : [];
      refused = errors.length > 0 ? errors.map(inWords).join(', ') : error.message;
    }
    entries.valid.forEach(add);
    return {
      accepted: entries.valid.length,
      rejected: entries.invalid.length,
      skipped: entries.blank,
      errors: entries.invalid
        .slice(0, maxErrors)
        .map(({ index, errors }) => ({ entry: index + 1, error: errors.map(inWords).join(', ') })),
      refused,
      usage: tally.hours(),
      groups: groups.groups(),
      pii: [...pii.values()],
    };
  };
}

/** The service names its body, which is the log or the entry here. */
const inWords = ({ field, error }: FieldError) => (field === 'body' ? `it ${error}` : `${field} ${error}`);

/** The part of a redacted text that shows where something was found. */
function exampleAround(text: string, isInText: boolean): string {
  const at = isInText ? text.search(/\[(?:EMAIL|NATIONAL_ID|PAYMENT_CARD)/) : 0;
  const start = Math.max(0, Math.min(at - exampleCharacters / 2, text.length - exampleCharacters));
  return `${start > 0 ? '…' : ''}${text.slice(start, start + exampleCharacters)}`;
}
