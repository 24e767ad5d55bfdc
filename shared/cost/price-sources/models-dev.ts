import type { PriceBookFile } from '../price-book-file.ts';
import type { InferenceKind } from '../price-line.ts';
import { splitProfile } from './model-ids.ts';
import type { SourceEntry, SourceFile } from './price-point.ts';
import { fieldsOf, pathIn, readJson, textOf } from './read-json.ts';
import { isOtherMedium, toEntry } from './second-source.ts';

const kinds: Readonly<Record<string, InferenceKind>> = {
  input: 'input',
  output: 'output',
  cache_read: 'cache_read',
  cache_write: 'cache_write_5m',
};

const paths = ['$.amazon-bedrock.models.*', '$.providers.amazon-bedrock.models.*'];

/** Reads `api.json` or `catalog.json`: models by provider, USD per million tokens. */
export async function* readModelsDev(file: SourceFile, book: PriceBookFile): AsyncGenerator<SourceEntry> {
  for await (const { path, value } of readJson(file, paths)) {
    const { name, cost, last_updated: updated } = fieldsOf(value);
    const id = path.at(-1) ?? '';
    if (isOtherMedium(id) || cost === undefined) {
      yield { type: 'left-out', reason: 'model that is not priced by text tokens' };
      continue;
    }
    const model = { ...splitProfile(id), name: textOf(name) ?? id };
    for (const [field, text] of Object.entries(fieldsOf(cost))) {
      const kind = Object.hasOwn(kinds, field) ? kinds[field] : undefined;
      const where = pathIn(file.name, ...path, 'cost', field);
      if (kind === undefined)
        yield { type: 'left-out', reason: 'price of another kind (reasoning, long context, media)' };
      else yield toEntry({ model, kind, text, power: -6, evidenceDate: textOf(updated) ?? null, where }, book);
    }
  }
}
