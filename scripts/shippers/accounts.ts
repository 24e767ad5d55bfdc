import { callService, registerAccount, startScenario } from '../call-service.ts';

/** Calls the service as an account that owns the scenarios of a run. */
export interface Account {
  /** Creates a running scenario, and a key that can only ingest. */
  createTarget(name: string): Promise<{ scenarioId: string; key: string }>;
  /** Log entries that the metrics of a scenario count. */
  countLogs(scenarioId: string): Promise<number>;
}

export async function createAccount(url: string): Promise<Account> {
  const { headers } = await registerAccount(url, 'shippers');
  return {
    createTarget: async (name) => {
      const scenarioId = await startScenario(url, name, headers);
      const body = { name, scopes: ['ingest'] };
      const { key } = await callService<{ key: string }>(url, 'POST', '/api/v1/api-keys', { headers, body });
      return { scenarioId, key };
    },
    countLogs: async (scenarioId) => {
      const path = `/api/v1/scenarios/${scenarioId}/metrics`;
      const { totals } = await callService<{ totals: { logs: number } }>(url, 'GET', path, { headers });
      return totals.logs;
    },
  };
}
