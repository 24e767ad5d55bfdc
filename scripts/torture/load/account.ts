import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from './client.ts';

const email = 'admin@example.com';
const body = JSON.stringify({ email, password: 'a password for the torture' });
/** Access tokens are valid for 15 minutes. */
const renewalMs = 8 * 60_000;

/** The admin of a new stack, whose token the load sends. */
export class Account {
  token = '';
  #issuedAt = 0;

  /** Registers, as an operation of the history: its audit record is the first one. */
  async register(client: Client): Promise<void> {
    const request = { method: 'POST', path: '/api/v1/auth/register', body };
    const action = { kind: 'create', collection: 'users', name: email } as const;
    const answer = await client.operate(action, request, { isKeyed: true, max: 3 });
    if (answer?.status !== 201) throw new Error(`The admin could not register: ${answer?.status ?? 'no response'}.`);
    this.#use(answer.body);
  }

  /** Logs in again if the token is old; during a fault, the old one is used on. */
  async renew(client: Client): Promise<void> {
    if (performance.now() - this.#issuedAt < renewalMs) return;
    const answer = await client.send({ method: 'POST', path: '/api/v1/auth/login', body });
    if (answer?.status === 200) this.#use(answer.body);
    else await delay(500);
  }

  #use(answered: unknown): void {
    this.token = (answered as { access_token: string }).access_token;
    this.#issuedAt = performance.now();
  }
}
