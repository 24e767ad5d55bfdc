import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from './client.ts';

const credentials = { email: 'admin@example.com', password: 'a password for the torture' };
/** Access tokens are valid for 15 minutes. */
const renewalMs = 8 * 60_000;

/** The admin of a new stack, whose token the load sends. */
export interface Account {
  token(): string;
  /** Registers, as an operation of the history: its audit record is the first one. */
  register(client: Client): Promise<void>;
  /** Logs in again if the token is old; during a fault, the old one is used on. */
  renew(client: Client): Promise<void>;
}

export function createAccount(): Account {
  let token = '';
  let issuedAt = 0;
  const use = (body: unknown) => {
    token = (body as { access_token: string }).access_token;
    issuedAt = performance.now();
  };
  const body = JSON.stringify(credentials);
  return {
    token: () => token,
    register: async (client) => {
      const action = { kind: 'create', collection: 'users', name: credentials.email } as const;
      const request = { method: 'POST', path: '/api/v1/auth/register', body };
      const answer = await client.operate(action, request, { isKeyed: true, max: 3 });
      if (answer?.status !== 201) throw new Error(`The admin could not register: ${answer?.status ?? 'no response'}.`);
      use(answer.body);
    },
    renew: async (client) => {
      if (performance.now() - issuedAt < renewalMs) return;
      const answer = await client.send({ method: 'POST', path: '/api/v1/auth/login', body });
      if (answer?.status === 200) use(answer.body);
      else await delay(500);
    },
  };
}
