import type { BodyForm } from '../../shared/ingest/reading/body-form.ts';
import type { EntryList } from '../../shared/ingest/reading/entry-list.ts';
import type { EntryRules } from '../../shared/ingest/reading/entry-rules.ts';
import { readEntries } from '../../shared/ingest/reading/read-entries.ts';
import type { TextOptions } from '../../shared/ingest/reading/read-text.ts';
import { readBody } from '../http/body/request-body.ts';
import type { AppContext } from '../http/context.ts';
import { readDecodedBody } from './decode-body.ts';
import type { ReadingCost } from './ingest-budget.ts';

/** Reads the entries of a body, plain or compressed. @throws as `readBody` and `readEntries` do. */
export async function parseEntries(
  ctx: AppContext,
  typeForm: BodyForm | null,
  rules: EntryRules,
  text: TextOptions,
  maxBytes: number,
  cost: ReadingCost,
): Promise<EntryList> {
  const onPiece = ({ length }: Buffer) => cost.add(length, 0);
  const mayBeText = typeForm === null || typeForm === 'text';
  const bytes = mayBeText
    ? await readDecodedBody(ctx, maxBytes, onPiece)
    : await readBody(ctx, maxBytes, { onPiece, isUtf8Required: false });
  const entries = await readEntries(bytes, typeForm, rules, text, maxBytes);
  cost.add(0, entries.count);
  return entries;
}
