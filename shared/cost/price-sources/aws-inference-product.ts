import type { PriceBookFile } from '../price-book-file.ts';
import type { Attributes, ProductClass } from './aws-product-class.ts';
import { findModelByName } from './model-ids.ts';
import type { InferenceKind } from './price-point.ts';

/** Terms of use that the service does not price. */
const otherTerms =
  /flex|priority|provision|reserved|custom|fine ?tun|latency|image|video|audio|speech|guardrail|long ?context|lctx|fast/;

/** Classifies an inference product by its model and by the words of its usage. */
export function findInferencePrice(attributes: Attributes, book: PriceBookFile): ProductClass {
  const { inferenceType = '', usagetype = '', servicename = '' } = attributes;
  const usage = toWords(`${inferenceType} ${usagetype}`);
  if (!/\btokens?\b/.test(usage)) return { type: 'left-out', reason: 'not a price of tokens' };
  const term = otherTerms.exec(usage)?.[0];
  if (term !== undefined) return { type: 'left-out', reason: `price of another kind (${term})` };
  const name = [attributes['model'], attributes['titanModel'], servicename].find(
    (text) => text !== undefined && text !== '' && text !== 'Amazon Bedrock',
  );
  const item = name === undefined ? undefined : findModelByName(book.inference.models, name);
  if (item === undefined) return { type: 'unmapped', name: `model "${name ?? usagetype}"` };
  const kind = kindOf(usage);
  if (kind === undefined) return { type: 'unmapped', name: `kind of ${item}: "${inferenceType || usagetype}"` };
  return { type: 'price', line: { service: 'inference', scope: /\bglobal\b/.test(usage) ? 'global' : '', item, kind } };
}

/** Words: `USE1_CacheReadInputTokenCount-Units` is `use 1 cache read input token count units`. */
const toWords = (text: string): string =>
  text
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Za-z])(\d)/g, '$1 $2')
    .toLowerCase()
    .replace(/[^a-z\d]+/g, ' ');

function kindOf(usage: string): InferenceKind | undefined {
  const isBatch = /\bbatch\b/.test(usage);
  if (/\bcached?\b/.test(usage)) {
    if (isBatch) return undefined;
    if (/\bread\b/.test(usage)) return 'cache_read';
    if (!/\bwrite\b/.test(usage)) return undefined;
    return /\b1 ?(?:h|hr|hour)\b|\bone hour\b/.test(usage) ? 'cache_write_1h' : 'cache_write_5m';
  }
  const isInput = /\binput\b/.test(usage);
  if (isInput === /\boutput\b/.test(usage)) return undefined;
  const direction = isInput ? 'input' : 'output';
  return isBatch ? `batch_${direction}` : direction;
}
