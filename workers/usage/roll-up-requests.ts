import type { Queues } from '../../shared/all-queues.ts';
import { errorFields, type Log } from '../../shared/process/log.ts';
import { oneRollUpOf } from '../../shared/usage/roll-up-usage.queue.ts';

export type RollUpRequests = ReturnType<typeof createRollUpRequests>;

const intervalMs = 250;
/** Long enough to merge many batches in one roll-up, short enough to keep few pending. */
const rollUpDelayMs = 1000;

/** Requests roll-ups, once for all batches of a scenario in a fourth of a second. */
export function createRollUpRequests({ queues, log }: { queues: Queues; log: Log }) {
  /** The last request of each scenario. */
  const pending = new Map<string, string>();
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<unknown> = Promise.resolve();

  const send = async (scenarioId: string, requestId: string) => {
    try {
      await queues['roll-up-usage'].add(
        { scenarioId, requestId },
        { ...oneRollUpOf(scenarioId), delay: rollUpDelayMs },
      );
    } catch (error) {
      const fields = { request_id: requestId, scenario_id: scenarioId, ...errorFields(error) };
      log.warn('roll-up not requested: the sweep adds it', fields);
    }
  };
  const sendAll = () => {
    timer = undefined;
    const requests = [...pending];
    pending.clear();
    sending = Promise.all([sending, ...requests.map(([id, requestId]) => send(id, requestId))]);
  };
  return {
    report: (scenarioId: string, requestId: string): void => {
      pending.set(scenarioId, requestId);
      timer ??= setTimeout(sendAll, intervalMs);
    },
    /** Sends the pending requests. The sweep replaces those of a killed process. */
    close: async (): Promise<void> => {
      clearTimeout(timer);
      sendAll();
      await sending;
    },
  };
}
