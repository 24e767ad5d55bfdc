import type { PriceBookFile } from '../price-book-file.ts';
import type { InferenceKind } from '../price-line.ts';
import { splitProfile } from './model-ids.ts';
import type { SourceEntry, SourceFile } from './price-point.ts';
import { fieldsOf, pathIn, readJson, textOf } from './read-json.ts';
import { isOtherMedium, toEntry } from './second-source.ts';

const kinds: Readonly<Record<string, InferenceKind>> = {
  input_mtok: 'input',
  output_mtok: 'output',
  cache_read_mtok: 'cache_read',
  cache_write_mtok: 'cache_write_5m',
  cache_write_1h_mtok: 'cache_write_1h',
};

/** Reads the data of `@pydantic/genai-prices`: an array of providers, USD per million tokens. */
export async function* readGenaiPrices(
  file: SourceFile,
  book: PriceBookFile,
  today: string,
): AsyncGenerator<SourceEntry> {
  for await (const { path, value } of readJson(file, ['$.*'])) {
    const { id: provider, models } = fieldsOf(value);
    if (provider !== 'aws') {
      yield { type: 'left-out', reason: 'models of another provider' };
      continue;
    }
    for (const [index, model] of (Array.isArray(models) ? models : []).entries()) {
      const { id, name, prices, prices_checked: checked } = fieldsOf(model);
      const modelId = textOf(id) ?? '';
      if (isOtherMedium(modelId)) {
        yield { type: 'left-out', reason: 'model that is not priced by text tokens' };
        continue;
      }
      const profiled = { ...splitProfile(modelId), name: textOf(name) ?? modelId };
      for (const { start, table } of datedPrices(prices, today)) {
        for (const [field, price] of Object.entries(fieldsOf(table))) {
          const kind = Object.hasOwn(kinds, field) ? kinds[field] : undefined;
          const { base, tiers } = fieldsOf(price);
          const where = pathIn(file.name, ...path, 'models', `${index} (${modelId})`, 'prices', field);
          if (kind === undefined || tiers !== undefined)
            yield { type: 'left-out', reason: 'price of another kind (media, long context)' };
          if (kind === undefined) continue;
          const dates = { effectiveDate: start, evidenceDate: textOf(checked) ?? null };
          yield toEntry({ model: profiled, kind, text: base ?? price, power: -6, ...dates, where }, book);
        }
      }
    }
  }
}

/**
 * The prices that apply today, and those of a later date. An entry without a date applies until
 * the first date; prices by the time of day are not comparable.
 */
function datedPrices(prices: unknown, today: string): { start: string | null; table: unknown }[] {
  if (!Array.isArray(prices)) return [{ start: null, table: prices }];
  const dated = prices.map(fieldsOf).flatMap(({ constraint, prices: table }) => {
    const { type, start_date: start } = fieldsOf(constraint);
    return constraint === undefined || type === 'start_date' || start !== undefined
      ? [{ start: textOf(start) ?? null, table }]
      : [];
  });
  dated.sort((a, b) => (a.start ?? '').localeCompare(b.start ?? ''));
  const current = dated.findLastIndex(({ start }) => (start ?? '') <= today);
  return dated.slice(Math.max(current, 0));
}
