import type { PriceBookFile } from '../price-book-file.ts';
import type { InferenceKind } from '../price-line.ts';
import { splitProfile } from './model-ids.ts';
import type { SourceEntry, SourceFile } from './price-point.ts';
import { fieldsOf, pathIn, readJson, textOf } from './read-json.ts';
import { isOtherMedium, toEntry } from './second-source.ts';

const standardKinds: readonly (readonly [string, InferenceKind])[] = [
  ['request_token', 'input'],
  ['response_token', 'output'],
  ['cache_read_input_token', 'cache_read'],
  ['cache_write_input_token', 'cache_write_5m'],
  ['additional_units.cache_write_1h', 'cache_write_1h'],
];
const batchKinds: readonly (readonly [string, InferenceKind])[] = [
  ['request_token', 'batch_input'],
  ['response_token', 'batch_output'],
];

interface Place {
  file: SourceFile;
  book: PriceBookFile;
  id: string;
}

/** Reads `pricing/bedrock.json`: one object by model id, US cents per token. */
export async function* readPortkey(file: SourceFile, book: PriceBookFile): AsyncGenerator<SourceEntry> {
  for await (const { path, value } of readJson(file, ['$.*'])) {
    const id = path[0] ?? '';
    const { pricing_config: config, custom_pricing: outer } = fieldsOf(value);
    const { pay_as_you_go: standard, currency, custom_pricing: inner } = fieldsOf(config);
    if (id === 'default') continue;
    if (isOtherMedium(id) || !('request_token' in fieldsOf(standard))) {
      yield { type: 'left-out', reason: 'model that is not priced by text tokens' };
      continue;
    }
    if (currency !== undefined && currency !== 'USD') {
      const where = pathIn(file.name, id, 'pricing_config', 'currency');
      yield {
        type: 'refused',
        reason: `the price is in ${textOf(currency) ?? 'an unknown currency'}, not in USD`,
        where,
      };
      continue;
    }
    const place = { file, book, id };
    yield* readRates(standard, standardKinds, splitProfile(id), [id, 'pricing_config', 'pay_as_you_go'], place);
    yield* readRegions(fieldsOf(inner ?? outer), place);
  }
}

function* readRegions({ regions }: Record<string, unknown>, place: Place): Generator<SourceEntry> {
  for (const [list, entry] of Object.entries(fieldsOf(regions))) {
    const { execution_modes: modes } = fieldsOf(entry);
    const profiled = splitProfile(place.id);
    for (const region of list.split(',').map((code) => code.trim())) {
      const model = region === 'default' ? profiled : { id: profiled.id, scope: region };
      for (const [mode, prices] of Object.entries(fieldsOf(modes))) {
        const path = [place.id, 'custom_pricing', 'regions', list, 'execution_modes', mode];
        if (mode === 'standard' || mode === 'batch') {
          const rates = fieldsOf(prices)['pay_as_you_go'] ?? prices;
          yield* readRates(rates, mode === 'batch' ? batchKinds : standardKinds, model, path, place);
        } else yield { type: 'left-out', reason: `price of another kind (${mode})` };
      }
    }
  }
}

function* readRates(
  rates: unknown,
  kinds: readonly (readonly [string, InferenceKind])[],
  model: Parameters<typeof toEntry>[0]['model'],
  path: string[],
  { file, book }: Place,
): Generator<SourceEntry> {
  for (const [field, kind] of kinds) {
    const rate = field.split('.').reduce<unknown>((value, key) => fieldsOf(value)[key], rates);
    const { price: text } = fieldsOf(rate);
    // Cents are 10^-2 USD.
    if (text !== undefined)
      yield toEntry({ model, kind, text, power: -2, where: pathIn(file.name, ...path, field) }, book);
  }
}
