import { strictRules } from '../../api/ingest/strict-entry.ts';
import { loadPriceBook } from '../../shared/cost/price-book.ts';
import { AppError, type FieldError } from '../../shared/errors.ts';
import type { BodyForm } from '../../shared/ingest/reading/body-form.ts';
import type { EntryList } from '../../shared/ingest/reading/entry-list.ts';
import { looseRules } from '../../shared/ingest/reading/loose-entry.ts';
import { readEntries } from '../../shared/ingest/reading/read-entries.ts';
import type { TextOptions } from '../../shared/ingest/reading/read-text.ts';

const book = loadPriceBook();
const maxBytes = 5 * 1024 * 1024;
const rules = { loose: looseRules(book, maxBytes), strict: strictRules(book, maxBytes) };
const defaults: TextOptions = { time: 'line', zone: 'UTC', join: 'none', receivedAt: Date.now() };

/** Reads a body as the addresses for log entries do, without HTTP. */
export function readBody(
  body: string | Uint8Array,
  form: BodyForm | null,
  { fields = 'loose', ...options }: Partial<TextOptions> & { fields?: keyof typeof rules } = {},
): Promise<EntryList> {
  return readEntries(Buffer.from(body as string), form, rules[fields], { ...defaults, ...options }, maxBytes);
}

/** The error of a body that is refused as a whole. */
export async function refusalOf(read: Promise<EntryList>): Promise<{ code: string; errors: readonly FieldError[] }> {
  try {
    const { valid } = await read;
    throw new TypeError(`The body is accepted: ${JSON.stringify(valid).slice(0, 200)}`);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { code: error.code, errors: (error.details ?? []) as readonly FieldError[] };
  }
}
