import type { PriceBookFile } from '../price-book-file.ts';
import type { InferenceKind } from '../price-line.ts';
import type { Attributes, ProductClass } from './aws-product-class.ts';
import { findModelByName } from './model-ids.ts';

/** Terms of use that the service does not price. */
const otherTerms =
  /flex|priority|provision|reserved|custom|fine ?tun|latency|image|video|audio|speech|guardrail|long (?:context|ctx)|lctx|fast|\b30 ?m\b/;

/**
 * Classifies an inference product by its model and by the words of its usage. Some products name
 * batch and other terms in the type of usage only, some in the feature or the service tier only.
 */
export function findInferencePrice(attributes: Attributes, book: PriceBookFile): ProductClass {
  const { inferenceType = '', usagetype = '', feature = '', service_tier: tier = '' } = attributes;
  const usage = toWords([inferenceType, usagetype, feature, tier].join(' '));
  if (!/\btokens?\b/.test(usage)) return { type: 'left-out', reason: 'not a price of tokens' };
  const term = otherTerms.exec(usage)?.[0];
  if (term !== undefined) return { type: 'left-out', reason: `price of another kind (${term})` };
  const names = namesOf(attributes);
  const item = names.map((name) => findModelByName(book.inference.models, name)).find((id) => id !== undefined);
  if (item === undefined) return { type: 'unmapped', name: `model "${names[0] ?? usagetype}"` };
  const kind = kindOf(usage);
  if (kind === undefined) return { type: 'unmapped', name: `kind of ${item}: "${inferenceType || usagetype}"` };
  return { type: 'price', line: { service: 'inference', scope: /\bglobal\b/.test(usage) ? 'global' : '', item, kind } };
}

/** The names of a model: newer products have one without the provider, such as `R1`. */
function namesOf({ model = '', titanModel = '', servicename = '', provider = '' }: Attributes): string[] {
  const own = [model, titanModel, servicename].filter((name) => name !== '' && name !== 'Amazon Bedrock');
  return provider === '' ? own : [...own, ...own.map((name) => `${provider} ${name}`)];
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
