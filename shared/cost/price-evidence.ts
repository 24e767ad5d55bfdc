import type { PriceBookFile, PriceEvidenceFile } from './price-book-file.ts';
import { keyOf, type PriceLineId } from './price-line.ts';

/** Where a price comes from: its own evidence, else that of its Region, service or model. */
export function evidenceOf(file: PriceBookFile, line: PriceLineId): PriceEvidenceFile | undefined {
  const own = file.evidence?.[keyOf(line)];
  if (own) return own;
  const common = commonEvidence(file, line);
  return common && { effective_from: null, as_of: common.as_of, sources: common.sources };
}

function commonEvidence({ queue, function: functions, inference }: PriceBookFile, line: PriceLineId) {
  if (line.service === 'queue') return queue.regions[line.scope];
  if (line.service === 'function') return functions;
  return inference.models.find(({ id }) => id === line.item);
}

/** The newest day of a text such as `2025-11-03 (us Regions rechecked 2026-07-24)`. */
export const newestDay = (text: string): string | null =>
  text
    .match(/\d{4}-\d\d-\d\d/g)
    ?.sort()
    .at(-1) ?? null;
