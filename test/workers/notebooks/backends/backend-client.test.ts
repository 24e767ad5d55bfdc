import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import { expect } from 'chai';
import { httpBackend } from '../../../../workers/notebooks/backends/http-backend.ts';
import { jupyterBackend } from '../../../../workers/notebooks/backends/jupyter-backend.ts';
import type { BackendCall, NotebookBackend } from '../../../../workers/notebooks/backends/notebook-backend.ts';
import { openNotebookBackend } from '../../../../workers/notebooks/backends/open-notebook-backend.ts';
import { UpstreamError } from '../../../../workers/notebooks/backends/upstream-error.ts';

const mebibyte = 1024 * 1024;
const id = randomUUID();
const page = { limit: 1, offset: 0, sort: 'title', order: 'asc' } as const;
const reference = { id, ref: 'x.ipynb', title: 'old', createdAt: new Date() };
const notebook = JSON.stringify({ id, title: 'a title', description: null });

const createCall = (timeoutMs = 50_000): BackendCall => ({
  requestId: randomUUID(),
  signal: AbortSignal.timeout(timeoutMs),
  repeated: false,
});

/** Text without end. The stream counts what it has produced, and ends with the connection. */
function endlessText(beginning: string) {
  let produced = 0;
  const chunk = Buffer.alloc(64 * 1024, 'a');
  function* chunks() {
    yield Buffer.from(beginning);
    for (;;) {
      produced += chunk.length;
      yield chunk;
    }
  }
  return { stream: Readable.from(chunks(), { objectMode: false }), produced: () => produced };
}

describe('a response of a notebook backend', () => {
  let respond: RequestListener;
  let url = '';
  let lastConnection: Socket | undefined;
  const server = createServer((request, response) => {
    lastConnection = request.socket;
    respond(request, response);
  });
  before(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  const failureOf = async (request: Promise<unknown>): Promise<UpstreamError> => {
    const error = await request.then(
      () => expect.fail('the call succeeded'),
      (thrown: unknown) => thrown,
    );
    expect(error).to.be.instanceOf(UpstreamError);
    return error as UpstreamError;
  };
  const openJupyter = (connection: { backendUrl: string; backendToken?: string }) =>
    jupyterBackend({ ...connection, backendFolder: '' }, (_key, _call, work) => work());
  /** A call of a backend that responds with the status, the headers and the body. */
  const failureAfter = (status: number, headers: Record<string, string>, body: string): Promise<UpstreamError> => {
    respond = (_request, response) => response.writeHead(status, headers).end(body);
    return failureOf(openJupyter({ backendUrl: url, backendToken: 'secret' }).ping(createCall()));
  };

  for (const [kind, open, operation, limit] of [
    ['http', httpBackend, (backend: NotebookBackend) => backend.remove(reference, createCall()), 1],
    ['open-notebook', openNotebookBackend, (backend: NotebookBackend) => backend.list(page, createCall()), 1],
    ['jupyter', openJupyter, (backend: NotebookBackend) => backend.list(page, createCall()), 4],
    ['jupyter, a file', openJupyter, (backend: NotebookBackend) => backend.read(reference, createCall()), 64],
  ] as const) {
    it(`is refused beyond its limit (${kind})`, async () => {
      const { stream, produced } = endlessText('{"title": "');
      respond = (_request, response) => {
        pipeline(stream, response, () => {});
      };
      const error = await failureOf(operation(open({ backendUrl: url })));
      expect(error.message).to.equal(`its response is larger than ${limit} MiB`);
      expect(error).to.include({ retryable: false, outage: false, refused: false });
      // A reset is reported as an error before the close.
      if (!lastConnection?.closed) await new Promise((resolve) => lastConnection?.once('close', resolve));
      // The buffers of the system hold far less than a response without a limit would reach.
      expect(produced()).to.be.below((limit + 60) * mebibyte);
    });
  }

  it('with an error has a status and a message, however long it is', async () => {
    const { stream } = endlessText('busy ');
    respond = (_request, response) => {
      response.writeHead(503, { 'Retry-After': '7' });
      pipeline(stream, response, () => {});
    };
    const error = await failureOf(httpBackend({ backendUrl: url }).read(reference, createCall()));
    expect(error).to.include({ retryable: true, outage: true, retryAfterMs: 7000 });
    expect(error.message).to.match(/^it responded with 503: busy a+/);
  });

  it('leaves its connection open for the next call', async () => {
    const ports = new Set<number | undefined>();
    respond = (request, response) => {
      ports.add(request.socket.remotePort);
      response.writeHead(request.url?.includes('absent') ? 404 : 200).end(notebook);
    };
    const backend = httpBackend({ backendUrl: url });
    await backend.read(reference, createCall());
    await backend.read({ ...reference, id: 'absent' }, createCall()).catch(() => {});
    await backend.read(reference, createCall());
    expect(ports.size).to.equal(1);
  });

  it('that refuses access names the variable of the token, or the missing token', async () => {
    const forbidden = await failureAfter(403, {}, '{"message": "Forbidden by secret", "reason": null}');
    expect(forbidden.message).to.equal('it responded with 403: Forbidden by [secret]; check NOTEBOOK_BACKEND_TOKEN');
    const crossSite = await failureAfter(403, {}, JSON.stringify({ message: "'_xsrf' argument missing from POST" }));
    expect(crossSite.message).to.match(
      /^it responded with 403: '_xsrf' argument .*cross-site.*start Jupyter Server with a token.*NOTEBOOK_BACKEND_TOKEN/,
    );
    for (const error of [forbidden, crossSite]) {
      expect(error).to.include({ unauthorized: true, retryable: false, outage: false });
    }
  });

  it('of a JupyterHub whose server is stopped is an outage, and the failure says that it does not run', async () => {
    for (const [status, headers, body] of [
      [302, { Location: '/hub/user/ann/api/kernelspecs' }, ''],
      [302, { Location: '/hub/login?next=%2Fhub%2Fuser%2Fann%2Fapi%2Fkernelspecs' }, ''],
      [424, {}, '{"message": "JupyterHub server no longer running at /user/ann/api/kernelspecs."}'],
      [424, {}, '<html>Start my server</html>'],
    ] as [number, Record<string, string>, string][]) {
      const error = await failureAfter(status, headers, body);
      expect(error.message).to.match(new RegExp(`^it responded with ${status}.*server of this user is not running`));
      expect(error).to.include({ unauthorized: false, retryable: true, outage: true });
    }
  });

  it('that does not arrive in time is an outage', async () => {
    respond = () => {};
    const error = await failureOf(httpBackend({ backendUrl: url }).read(reference, createCall(200)));
    expect(error.message).to.equal('it accepted the connection, but gave no response in time');
    expect(error).to.include({ outage: true, retryable: true });
  });

  it('that is not of the documented form is refused', async () => {
    const read = (open: (connection: { backendUrl: string }) => NotebookBackend, body: string) => {
      respond = (_request, response) => response.end(body);
      return failureOf(open({ backendUrl: url }).read(reference, createCall()));
    };
    for (const [open, body, reason] of [
      [httpBackend, '<html>', /^its response is not JSON$/],
      [httpBackend, '{"id": "x"}', /^its response is malformed: "title" is required$/],
      [openJupyter, '{"content": {"cells": []}}', /^its response is not JSON of a notebook file$/],
      [openJupyter, '{"content": {"metadata": {"title": 7}}}', /^its response is malformed: "title" must be a string$/],
    ] as const) {
      expect((await read(open, body)).message).to.match(reason);
    }
  });

  it('that ends a long search is not an outage, and one that is missing from its start is', async () => {
    const search = async () => {
      const call = { ...createCall(2_000), repeated: true };
      const created = { id, title: 'Field notes', description: null, createdAt: new Date().toISOString() };
      return failureOf(openJupyter({ backendUrl: url }).create(created, call));
    };
    respond = (request, response) => {
      if (!request.url?.includes('directory')) return;
      const file = { name: 'a.ipynb', path: 'a.ipynb', type: 'notebook', last_modified: new Date().toISOString() };
      response.end(JSON.stringify({ content: [file] }));
    };
    expect(await search()).to.include({ message: 'the search for the notebook took too long', outage: false });
    respond = () => {};
    expect(await search()).to.include({ outage: true, retryable: true });
  });
});
