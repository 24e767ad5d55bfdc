import type { Resources } from '../../shared/open-resources.ts';
import type { RateLimiter } from '../http/access/rate-limiter.ts';
import type { WaitForJob } from '../jobs/wait-for-job.ts';
import { createEntryBatcher, type EntryBatcher } from './entry-batcher.ts';
import { createFlushWait, type FlushWait } from './flush-wait.ts';
import { createBatchPresenter, type PresentBatch } from './ingest.presenter.ts';
import { createIngestBudget, type IngestBudget } from './ingest-budget.ts';
import { createCapacityCheck } from './process-entries.ts';

/** The dependencies of the routes of this folder, created once per process. */
export interface IngestDeps {
  entryBatcher: EntryBatcher;
  flushWait: FlushWait;
  ingestBudget: IngestBudget;
  presentBatch: PresentBatch;
  /** Throws SERVICE_UNAVAILABLE or RATE_LIMITED if spool and overflow are full for the caller. */
  requireCapacity: (owner: string | undefined) => Promise<void>;
}

export function createIngestDeps(
  deps: Resources & { waitForJob: WaitForJob },
  { rateLimiter }: { rateLimiter: RateLimiter },
): IngestDeps {
  const { config } = deps;
  return {
    entryBatcher: createEntryBatcher(deps),
    flushWait: createFlushWait(deps),
    ingestBudget: createIngestBudget({ config, rateLimiter }),
    presentBatch: createBatchPresenter(config.priceFallback),
    requireCapacity: createCapacityCheck(deps),
  };
}
