/** Calls the service as an account that owns the scenarios of a run. */
export interface Account {
  /** Creates a running scenario, and a key that can only ingest. */
  createTarget(name: string): Promise<{ scenarioId: string; key: string }>;
  /** Log entries that the metrics of a scenario count. */
  countLogs(scenarioId: string): Promise<number>;
}

export async function createAccount(url: string): Promise<Account> {
  const call = async <T>(method: string, path: string, body?: object, token?: string): Promise<T> => {
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(body ? { 'Content-Type': 'application/json' } : {}),
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (!response.ok) throw new Error(`${path} responded with ${response.status}: ${await response.text()}`);
    return (await response.json()) as T;
  };
  const { access_token: token } = await call<{ access_token: string }>('POST', '/api/v1/auth/register', {
    email: 'shippers@example.com',
    password: 'a password for shippers',
  });
  return {
    createTarget: async (name) => {
      const scenario = { name, region: 'us-east-1' };
      const { id } = await call<{ id: string }>('POST', '/api/v1/scenarios', scenario, token);
      await call('POST', `/api/v1/scenarios/${id}/start`, undefined, token);
      const { key } = await call<{ key: string }>('POST', '/api/v1/api-keys', { name, scopes: ['ingest'] }, token);
      return { scenarioId: id, key };
    },
    countLogs: async (scenarioId) => {
      const path = `/api/v1/scenarios/${scenarioId}/metrics`;
      const metrics = await call<{ totals: { logs: number } }>('GET', path, undefined, token);
      return metrics.totals.logs;
    },
  };
}
