import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { createPasswords } from '../../api/accounts/passwords.ts';
import { createApp } from '../../api/app.ts';
import { stopListening } from '../../api/http/http-server.ts';
import { createAccount, password } from '../support/accounts.ts';
import { listenOnFreePort, startTestService } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

/** A hash takes about 60 ms, so that a flood waits for its hashes. */
const slowCost = 10;
const networks = 25;
/** Hashes in progress, the one of the login, and those that end before its response is received. */
const hashesOfLogin = 6;

describe('a flood of logins', () => {
  const service = startTestService({ workers: false });

  it('a flood from many networks lets a login of another one through, and costs nothing once its clients are gone', async () => {
    const { email } = await createAccount(service);
    const passwords = createPasswords(slowCost);
    let compared = 0;
    const counted: typeof passwords = {
      ...passwords,
      matches: async (...sent) => {
        const matches = await passwords.matches(...sent);
        compared += 1;
        return matches;
      },
    };
    const { server, url } = await listenOnFreePort(createApp({ ...service.app, passwords: counted }));
    const clients = new Agent();
    const logIn = async (network: number, sent: object, agent = clients) => {
      const outgoing = httpRequest(`${url}/api/v1/auth/login`, {
        method: 'POST',
        agent,
        headers: { 'Content-Type': 'application/json' },
        localAddress: `127.0.9.${network}`,
      });
      outgoing.end(JSON.stringify(sent));
      const [response] = await once(outgoing, 'response');
      return { status: response.statusCode as number, body: await text(response) };
    };
    try {
      const statuses: number[] = [];
      const flood = Array.from({ length: 2 * networks }, async (_, index) => {
        const sent = { email: `nobody${index}@example.com`, password: 'a wrong password' };
        statuses.push((await logIn(1 + (index % networks), sent)).status);
      });
      const ended = Promise.allSettled(flood);
      // Once some are refused, the queue is full.
      await waitUntil('the queue of hashes to be full', () => statuses.includes(503));
      const before = compared;
      const honest = await logIn(200, { email, password });
      expect(honest.status, honest.body).to.equal(200);
      expect(compared - before, 'hashes until the honest login got its response').to.be.at.most(hashesOfLogin);
      clients.destroy();
      await ended;
      const atEnd = compared;
      const later = new Agent();
      for (let count = 0; count < 10; count += 1) await logIn(201, { email, password }, later);
      later.destroy();
      expect(compared - atEnd - 10, 'hashes for clients that were gone').to.be.at.most(5);
    } finally {
      clients.destroy();
      await stopListening(server, 0);
    }
  });
});
