import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { jupyterBackend } from '../../../../workers/notebooks/backends/jupyter-backend.ts';
import { UpstreamError } from '../../../../workers/notebooks/backends/upstream-error.ts';

const hangs: RequestListener = () => {};

describe('a failure of Jupyter', () => {
  const servers: ReturnType<typeof createServer>[] = [];
  after(() => {
    for (const server of servers) server.closeAllConnections();
    for (const server of servers) server.close();
  });

  /** Creates a notebook on a server, as a repeated attempt, which searches for it first. */
  async function create(listener: RequestListener, { repeated = false, timeoutMs = 10_000 } = {}) {
    const server = createServer(listener).listen(0, '127.0.0.1');
    servers.push(server);
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}`;
    const backend = jupyterBackend({ url, token: 'secret', folder: '', withLock: (_key, _call, work) => work() });
    const createdAt = new Date().toISOString();
    const call = { requestId: randomUUID(), signal: AbortSignal.timeout(timeoutMs), repeated };
    const notebook = { id: randomUUID(), title: 'Field notes', description: null, createdAt };
    const error = await backend.create(notebook, call).catch((failure: unknown) => failure);
    expect(error).to.be.instanceOf(UpstreamError);
    return error as UpstreamError;
  }

  it('a failure by a wrong token names the variable of the token', async () => {
    const forbidden = await create((_request, response) => {
      response.writeHead(403, { 'Content-Type': 'application/json' }).end('{"message": "Forbidden", "reason": null}');
    });
    expect(forbidden.message).to.equal('it responded with 403: Forbidden; check NOTEBOOK_BACKEND_TOKEN');
    expect(forbidden).to.include({ unauthorized: true, retryable: false, outage: false });
  });

  it('a refusal by the protection against cross-site requests names the missing token as the cause', async () => {
    const error = await create((_request, response) => {
      const body = JSON.stringify({ message: "'_xsrf' argument missing from POST", reason: null });
      response.writeHead(403, { 'Content-Type': 'application/json' }).end(body);
    });
    expect(error.message).to.match(
      /^it responded with 403: '_xsrf' argument .*cross-site.*start Jupyter Server with a token.*NOTEBOOK_BACKEND_TOKEN/,
    );
    expect(error).to.include({ unauthorized: true, retryable: false, outage: false });
  });

  it('a stopped server of a JupyterHub is an outage, and the failure says that it does not run', async () => {
    const message = 'JupyterHub server no longer running at /user/ann/api/kernelspecs.';
    const responses: [number, Record<string, string>, string][] = [
      [302, { Location: '/hub/user/ann/api/kernelspecs' }, ''],
      [302, { Location: '/hub/login?next=%2Fhub%2Fuser%2Fann%2Fapi%2Fkernelspecs' }, ''],
      [424, {}, JSON.stringify({ message })],
      [424, {}, '<html>Start my server</html>'],
    ];
    for (const [status, headers, body] of responses) {
      const error = await create((_request, response) => {
        response.writeHead(status, headers).end(body);
      });
      expect(error.message).to.match(new RegExp(`^it responded with ${status}.*server of this user is not running`));
      expect(error).to.include({ unauthorized: false, retryable: true, outage: true });
    }
  });

  it('a server that hangs is an outage in every attempt, and the failure says that it accepts connections', async () => {
    for (const repeated of [false, true]) {
      const error = await create(hangs, { repeated, timeoutMs: 200 });
      expect(error.message).to.equal('it accepted the connection, but gave no response in time');
      expect(error).to.include({ outage: true, retryable: true });
    }
  });

  it('a failure in a long search is not an outage', async () => {
    const error = await create(
      (request, response) => {
        if (!request.url?.includes('directory')) return;
        const file = { name: 'a.ipynb', path: 'a.ipynb', type: 'notebook', last_modified: new Date().toISOString() };
        response.end(JSON.stringify({ content: [file] }));
      },
      { repeated: true, timeoutMs: 2_000 },
    );
    expect(error.message).to.equal('the search for the notebook took too long');
    expect(error.outage).to.equal(false);
  });
});
