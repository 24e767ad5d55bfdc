import { pipelineErrors } from '../../shared/cost/pipeline/pipeline-errors.ts';
import type { PriceBook } from '../../shared/cost/price-book.ts';
import type { Terms, WhatIf } from '../../shared/cost/what-if.ts';
import { validationError } from '../../shared/errors.ts';

/**
 * @param terms those of a scenario after the changes.
 * @throws AppError VALIDATION_ERROR that names the changes with which the pipeline of the scenario
 * cannot be built or priced.
 */
export function requirePossiblePipeline(terms: Terms, changes: WhatIf, book: PriceBook): void {
  const { queue_type: queueType, model, region } = changes;
  const errors = new Map<string, string>();
  for (const { field, error } of pipelineErrors(terms, book)) {
    const isOfInference = field.includes('.inference.');
    const cause = isOfInference ? ((model && 'model') ?? (region && 'region')) : queueType && 'queue_type';
    if (cause && !errors.has(cause)) errors.set(cause, `does not fit the pipeline: ${field} ${error}`);
  }
  if (errors.size > 0) throw validationError([...errors].map(([field, error]) => ({ field, error })));
}
