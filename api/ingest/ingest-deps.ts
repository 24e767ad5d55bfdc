import type { Resources } from '../../shared/open-resources.ts';
import type { RateLimiter } from '../http/access/rate-limiter.ts';
import { createBatchPresenter, type PresentBatch } from './ingest.presenter.ts';
import { createIngestBudget, type IngestBudget } from './ingest-budget.ts';

/** The dependencies of the routes of this folder, created once per process. */
export interface IngestDeps {
  ingestBudget: IngestBudget;
  presentBatch: PresentBatch;
}

export function createIngestDeps(
  { config }: Pick<Resources, 'config'>,
  { rateLimiter }: { rateLimiter: RateLimiter },
): IngestDeps {
  return {
    ingestBudget: createIngestBudget({ config, rateLimiter }),
    presentBatch: createBatchPresenter(config.priceFallback),
  };
}
