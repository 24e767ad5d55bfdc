import { oneAppendAtATime } from '../../shared/audit/append-audit-records.queue.ts';
import { type RefreshPricesResult, refreshPricesQueue } from '../../shared/cost/refresh-prices.queue.ts';
import { refreshPrices } from '../../shared/cost/refresh-prices.ts';
import { AppError } from '../../shared/errors.ts';
import { errorFields } from '../../shared/process/log.ts';
import { PermanentFailure } from '../../shared/queues/job-failure.ts';
import { defineProcessor } from '../jobs/define-processor.ts';
import type { WorkerDeps } from '../worker-deps.ts';
import { startRefreshSchedule } from './refresh-schedule.ts';

/** Reasons in the error of a refused source. */
const maxReasons = 20;
const scheduled = {
  userId: null,
  userIdSource: null,
  accountId: null,
  apiKeyId: null,
  clientAddress: 'PRICE_REFRESH_CRON',
};

/** Stores the prices of a configured source as a new version of the price book. */
export const refreshPricesProcessor = defineProcessor(
  refreshPricesQueue,
  async (
    { source: name, actor = scheduled, requestId },
    { models, config, queues, log }: Pick<WorkerDeps, 'models' | 'config' | 'queues' | 'log'>,
    { step, reportProgress },
  ): Promise<RefreshPricesResult> => {
    const source = config.prices.sources.get(name);
    if (!source) throw new PermanentFailure(new AppError('NOT_FOUND', `PRICE_SOURCES has no source ${name}.`));
    const { status, version, changes, comparison } = await refreshPrices(models, source, {
      name,
      actor: { ...actor, requestId },
      onProgress: (file) => {
        step(`read ${file}`);
        reportProgress();
      },
    });
    await queues['append-audit-records']
      .add({ requestId }, oneAppendAtATime)
      .catch((error: unknown) => log.warn('audit records left to the sweep', errorFields(error)));
    if (status !== 'refused') return { status, version, changes };
    const details = comparison.refusals
      .slice(0, maxReasons)
      .map(({ where, reason }) => ({ field: where, error: reason }));
    const message = `The prices of ${name} are refused, and version ${version} stays: ${details[0]?.field}: ${details[0]?.error}`;
    throw new PermanentFailure(new AppError('UPSTREAM_ERROR', message, { details }));
  },
  { startTask: startRefreshSchedule },
);
