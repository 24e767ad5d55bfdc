import type { PriceBookFile } from '../price-book-file.ts';
import type { InferenceKind } from '../price-line.ts';
import { splitProfile } from './model-ids.ts';
import type { SourceEntry, SourceFile } from './price-point.ts';
import { fieldsOf, pathIn, readJson, textOf } from './read-json.ts';
import { isOtherMedium, toEntry } from './second-source.ts';

const kinds: Readonly<Record<string, InferenceKind>> = {
  input_cost_per_token: 'input',
  output_cost_per_token: 'output',
  input_cost_per_token_batches: 'batch_input',
  output_cost_per_token_batches: 'batch_output',
  cache_read_input_token_cost: 'cache_read',
  cache_creation_input_token_cost: 'cache_write_5m',
  cache_creation_input_token_cost_above_1hr: 'cache_write_1h',
};

/** Reads `model_prices_and_context_window.json`: one object by model id, USD per token. */
export async function* readLitellm(file: SourceFile, book: PriceBookFile): AsyncGenerator<SourceEntry> {
  for await (const { path, value } of readJson(file, ['$.*'])) {
    const fields = fieldsOf(value);
    const provider = textOf(fields['litellm_provider']) ?? '';
    const key = path[0] ?? '';
    if (!/^bedrock(?:_converse|_mantle)?$/.test(provider)) {
      yield { type: 'left-out', reason: 'model of another provider' };
      continue;
    }
    const model = toModel(key);
    const mode = textOf(fields['mode']) ?? 'chat';
    if (model === undefined) yield { type: 'left-out', reason: 'price of provisioned throughput' };
    else if (!/^(?:chat|completion|embedding|responses)$/.test(mode) || isOtherMedium(key)) {
      yield { type: 'left-out', reason: 'model that is not priced by text tokens' };
    } else yield* readCosts(file, key, fields, model, book);
  }
}

function* readCosts(
  file: SourceFile,
  key: string,
  fields: Record<string, unknown>,
  model: NonNullable<ReturnType<typeof toModel>>,
  book: PriceBookFile,
): Generator<SourceEntry> {
  for (const [field, text] of Object.entries(fields)) {
    const kind = Object.hasOwn(kinds, field) ? kinds[field] : undefined;
    if (kind !== undefined && text !== null)
      yield toEntry({ model, kind, text, power: 0, where: pathIn(file.name, key, field) }, book);
    else if (/_cost/.test(field))
      yield { type: 'left-out', reason: 'price of another kind (flex, priority, long context, media)' };
  }
}

/** The model and Region of a key: `bedrock/eu-west-1/<model>`, `eu.<model>`, `<model>`. */
function toModel(key: string) {
  const parts = key.split('/').filter((part) => !/^bedrock(?:_converse|_mantle)?$|^converse$|^invoke$/.test(part));
  const model = splitProfile(parts.at(-1) ?? '');
  const [region, ...rest] = parts.slice(0, -1);
  if (rest.length > 0 || (region !== undefined && !/^[a-z]+(?:-[a-z]+)+-\d+$/.test(region))) return undefined;
  return region === undefined ? model : { id: model.id, scope: region };
}
