import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { expect } from 'chai';
import { createNotebookFixture, listen } from '../../support/notebook-backends.ts';
import { expectError } from '../../support/requests.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { path } from './conformance.ts';

/** Responses of a JupyterHub in place of the server of the user ann. */
type StoppedServer = 'redirect to the hub' | 'redirect to the login page' | '424';

/**
 * A server of a user behind a JupyterHub, without notebooks. While it is stopped, the proxy of the
 * Hub sends requests to the Hub, which redirects a GET to its own pages and serves no other method
 * outside of these.
 */
async function startJupyterHub() {
  const state: { stopped: StoppedServer | undefined } = { stopped: undefined };
  const server = createServer(({ method, url = '' }, response) => {
    const { stopped } = state;
    const isRead = method === 'GET';
    if (stopped === '424') {
      const message = `JupyterHub server no longer running at ${url}. Restart the server at https://hub.example/hub/spawn/ann`;
      response.writeHead(424, { 'Content-Type': 'application/json' }).end(JSON.stringify({ message }));
    } else if (stopped !== undefined && !isRead) response.writeHead(405).end('<h1>405 : Method Not Allowed</h1>');
    else if (stopped === 'redirect to the hub') response.writeHead(302, { Location: `/hub${url}` }).end();
    else if (stopped !== undefined) {
      response.writeHead(302, { Location: `/hub/login?next=${encodeURIComponent(`/hub${url}`)}` }).end();
    } else if (isRead && url.startsWith('/user/ann/api/contents/?')) {
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ content: [] }));
    } else response.writeHead(404).end();
  });
  const { url, close } = await listen(server);
  return { url: `${url}/user/ann`, token: 'the-token-of-ann', state, count: async () => 0, close };
}

describe('a stopped server of a JupyterHub', () => {
  // Calls end as soon as the circuit is open.
  const fixture = createNotebookFixture('jupyter', startJupyterHub, {}, { circuitBreaker: { minFailureTime: 300 } });
  const { service } = fixture;
  const readiness = () => service.request('GET', '/health/ready?for=notebooks');

  for (const stopped of ['redirect to the hub', 'redirect to the login page', '424'] as const) {
    it(`is an outage that calls, readiness and the circuit breaker report, and that ends by itself (${stopped})`, async () => {
      const { backend, proxy } = fixture;
      await waitUntil('the backend to be up', async () => (await readiness()).status === 200);
      backend.state.stopped = stopped;
      // The first call is retried until the circuit opens, and the second one fails at once.
      const requestId = randomUUID();
      const created = await service.request('POST', path, {
        headers: { 'X-Request-ID': requestId },
        body: { title: 'Field notes' },
      });
      for (const response of [created, await service.request('GET', path)]) {
        expectError(response, 502, 'UPSTREAM_ERROR');
        expect(response.body.error.message).to.contain('the server of this user is not running');
        expect(Number(response.headers.get('Retry-After'))).to.be.at.least(1);
      }
      expect(proxy.received.filter(({ headers }) => headers['x-request-id'] === requestId)).to.have.length.above(1);
      expect((await service.app.notebookBreaker.state()).open).to.equal(true);
      const ready = await readiness();
      expectError(ready, 503, 'SERVICE_UNAVAILABLE', ['notebook_backend']);
      expect(ready.body.error.details[0].error).to.contain('the server of this user is not running');

      backend.state.stopped = undefined;
      await waitUntil('lists to be served', async () => (await service.request('GET', path)).status === 200);
      await waitUntil('the backend to be up', async () => (await readiness()).status === 200);
    });
  }
});
