import type { PriceBookFile } from '../price-book-file.ts';
import type { SourceKind } from '../price-sources/price-point.ts';

type SourceRow = PriceBookFile['sources'][number];

const names: Readonly<Record<SourceKind, { title: string; publisher: string }>> = {
  aws: { title: 'AWS Price List Bulk API', publisher: 'Amazon Web Services' },
  litellm: { title: 'LiteLLM model_prices_and_context_window.json', publisher: 'BerriAI' },
  'models.dev': { title: 'models.dev', publisher: 'models.dev' },
  portkey: { title: 'Portkey-AI/models, pricing/bedrock.json', publisher: 'Portkey' },
  'genai-prices': { title: '@pydantic/genai-prices', publisher: 'Pydantic' },
  book: { title: 'Price book of another installation', publisher: 'Meterbook' },
};

/** The source that refreshed prices name, one for each date of its evidence. */
export function sourceOf(kind: SourceKind, date: string | null): { id: string; source: SourceRow } {
  const version = date ?? 'without a date';
  const id = `refresh-${kind}-${date ?? 'undated'}`;
  return { id, source: { id, ...names[kind], version, retrieved_via: 'npm run prices', supports: 'refreshed prices' } };
}
