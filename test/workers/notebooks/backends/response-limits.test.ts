import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import { brotliCompressSync, createGzip, deflateSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { httpBackend } from '../../../../workers/notebooks/backends/http-backend.ts';
import { jupyterBackend } from '../../../../workers/notebooks/backends/jupyter-backend.ts';
import type { BackendCall, NotebookBackend } from '../../../../workers/notebooks/backends/notebook-backend.ts';
import { openNotebookBackend } from '../../../../workers/notebooks/backends/open-notebook-backend.ts';
import { UpstreamError } from '../../../../workers/notebooks/backends/upstream-error.ts';
import { isLongForm } from '../../../support/long-form.ts';

const mebibyte = 1024 * 1024;
const id = randomUUID();
const reference = (ref: string) => ({ id, ref, title: 'old', createdAt: new Date() });
const openJupyter = ({ url }: { url: string }) =>
  jupyterBackend({ url, folder: '', withLock: (_key, _call, work) => work() });
const page = { limit: 1, offset: 0, sort: 'title', order: 'asc' } as const;

function createCall(signal: AbortSignal = AbortSignal.timeout(50_000)): BackendCall {
  return { requestId: randomUUID(), signal, repeated: false };
}

/**
 * A server on a free port for the tests of the enclosing `describe`; `respond` can be replaced by
 * every test.
 */
function startServer() {
  let lastConnection: Socket | undefined;
  const started = {
    url: '',
    respond: (_request: IncomingMessage, _response: ServerResponse): void | Promise<void> => {},
    /** Waits until the connection of the last request is closed. */
    untilClosed: async () => {
      // A reset is reported as an error before the close.
      if (!lastConnection?.closed) await new Promise((resolve) => lastConnection?.once('close', resolve));
    },
  };
  const server = createServer((request, response) => {
    lastConnection = request.socket;
    void started.respond(request, response);
  });
  before(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    started.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => {
    server.close();
    server.closeAllConnections();
  });
  return started;
}

/** Text without end. The stream counts what it has produced, and ends with the connection. */
function endlessText(beginning: string): { stream: Readable; produced: () => number } {
  let produced = 0;
  const chunk = Buffer.alloc(64 * 1024, 'a');
  const stream = Readable.from(
    (function* () {
      yield Buffer.from(beginning);
      for (;;) {
        produced += chunk.length;
        yield chunk;
      }
    })(),
    { objectMode: false },
  );
  return { stream, produced: () => produced };
}

async function expectUpstreamError(promise: Promise<unknown>, reason: string): Promise<UpstreamError> {
  const error = await promise.then(
    () => expect.fail('the call succeeded'),
    (thrown: unknown) => thrown,
  );
  expect(error).to.be.instanceOf(UpstreamError);
  expect((error as UpstreamError).message).to.equal(reason);
  return error as UpstreamError;
}

describe('a response of a notebook backend', () => {
  const server = startServer();
  const notebook = { id, title: 'a title', description: null };

  for (const [kind, open, operation] of [
    ['http', httpBackend, (backend: NotebookBackend) => backend.read(reference(id), createCall())],
    ['http', httpBackend, (backend: NotebookBackend) => backend.remove(reference(id), createCall())],
    ['open-notebook', openNotebookBackend, (backend: NotebookBackend) => backend.list(page, createCall())],
    ['jupyter', openJupyter, (backend: NotebookBackend) => backend.ping(createCall())],
  ] as const) {
    const call = () => operation(open({ url: server.url }));
    const tooLarge = 'its response is larger than 1 MiB';

    it(`is refused by its length before it is read (${kind})`, async () => {
      server.respond = (_request, response) => {
        response.writeHead(200, { 'Content-Length': mebibyte + 1 }).write('{');
      };
      const error = await expectUpstreamError(call(), tooLarge);
      expect(error).to.include({ retryable: false, outage: false, refused: false });
      await server.untilClosed();
    });

    it(`is cut if it has no length (${kind})`, async () => {
      const { stream, produced } = endlessText('{"title": "');
      server.respond = (_request, response) => {
        pipeline(stream, response, () => {});
      };
      await expectUpstreamError(call(), tooLarge);
      await server.untilClosed();
      // The buffers of the system hold far less than a response without a limit would reach.
      expect(produced()).to.be.below(64 * mebibyte);
    });

    it(`is cut by its unpacked size (${kind})`, async () => {
      const { stream, produced } = endlessText('{"title": "');
      server.respond = (_request, response) => {
        response.writeHead(200, { 'Content-Encoding': 'gzip' });
        pipeline(stream, createGzip(), response, () => {});
      };
      await expectUpstreamError(call(), tooLarge);
      await server.untilClosed();
      expect(produced()).to.be.above(mebibyte);
    });
  }

  it('a response is unpacked', async () => {
    const backend = httpBackend({ url: server.url });
    const text = JSON.stringify(notebook);
    for (const [encoding, packed] of [
      ['gzip', gzipSync(text)],
      ['GZIP', gzipSync(text)],
      ['deflate', deflateSync(text)],
      ['br', brotliCompressSync(text)],
      ['identity', Buffer.from(text)],
    ] as const) {
      server.respond = (_request, response) => {
        response.writeHead(200, { 'Content-Encoding': encoding }).end(packed);
      };
      expect((await backend.read(reference(id), createCall())).title, encoding).to.equal('a title');
    }
  });

  it('is refused if it is not of its encoding', async () => {
    const backend = httpBackend({ url: server.url });
    const respondWith = (encoding: string, body: Buffer) => {
      server.respond = (_request, response) => {
        response.writeHead(200, { 'Content-Encoding': encoding }).end(body);
      };
      return backend.read(reference(id), createCall());
    };
    const packed = gzipSync(JSON.stringify(notebook));
    for (const [encoding, body] of [
      ['gzip', Buffer.from('plain')],
      ['gzip', packed.subarray(0, packed.length - 12)],
      ['deflate', Buffer.from('plain')],
      ['br', Buffer.from('plain text')],
    ] as const) {
      await expectUpstreamError(respondWith(encoding, body), 'its response is not of its encoding');
    }
    await expectUpstreamError(respondWith('compress', packed), 'its response has an unknown encoding');
  });

  it('a response with an error keeps its status, however long it is', async () => {
    const backend = httpBackend({ url: server.url });
    for (const packs of [false, true]) {
      const { stream } = endlessText('busy ');
      server.respond = (_request, response) => {
        response.writeHead(503, { 'Retry-After': '7', ...(packs ? { 'Content-Encoding': 'gzip' } : {}) });
        if (packs) pipeline(stream, createGzip(), response, () => {});
        else pipeline(stream, response, () => {});
      };
      const error = await backend.read(reference(id), createCall()).catch((thrown: unknown) => thrown);
      expect(error).to.include({ retryable: true, outage: true, retryAfterMs: 7000 });
      expect((error as Error).message).to.match(/^it responded with 503: busy a+/);
      await server.untilClosed();
    }
  });

  it('leaves its connection open for the next call', async () => {
    const backend = httpBackend({ url: server.url });
    const ports = new Set<number | undefined>();
    server.respond = (request: IncomingMessage, response: ServerResponse) => {
      ports.add(request.socket.remotePort);
      response.writeHead(request.url?.includes('absent') ? 404 : 200).end(JSON.stringify(notebook));
    };
    await backend.read(reference(id), createCall());
    await backend.read({ ...reference('absent'), id: 'absent' }, createCall()).catch(() => {});
    await backend.read(reference(id), createCall());
    expect(ports.size).to.equal(1);
  });
});

describe('a large notebook of Jupyter', () => {
  const server = startServer();
  /** A notebook with an output of so many bytes; the number is one that JavaScript would round. */
  const notebookFile = (bytes: number, metadata: object = { title: 'large', description: null, meterbook: { id } }) =>
    Buffer.from(
      `{"name": "x.ipynb", "content": {"cells": [{"big": 12345678901234567890, "output": "${'a'.repeat(bytes)}"}], ` +
        `"metadata": ${JSON.stringify(metadata)}, "nbformat": 4}, "format": "json"}`,
    );
  const backend = () => openJupyter({ url: server.url });
  const readBody = async (request: IncomingMessage) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    return Buffer.concat(chunks).toString();
  };

  it('is read up to 64 MiB, packed or not', async () => {
    // Both are counted by the same reader, behind the one that unpacks.
    for (const packs of isLongForm ? [false, true] : [true]) {
      const file = notebookFile(20 * mebibyte);
      server.respond = (_request, response) => {
        response.writeHead(200, packs ? { 'Content-Encoding': 'gzip' } : {}).end(packs ? gzipSync(file) : file);
      };
      expect(await backend().read(reference('x.ipynb'), createCall())).to.include({ title: 'large' });
      server.respond = (_request, response) => {
        response.writeHead(200, packs ? { 'Content-Encoding': 'gzip' } : {});
        const { stream } = endlessText('{"content": {"cells": "');
        if (packs) pipeline(stream, createGzip({ level: 1 }), response, () => {});
        else pipeline(stream, response, () => {});
      };
      const read = backend().read(reference('x.ipynb'), createCall());
      await expectUpstreamError(read, 'its response is larger than 64 MiB');
      await server.untilClosed();
    }
  });

  it('is written back byte by byte, except for its metadata', async () => {
    const file = notebookFile(3 * mebibyte, { title: 'large', kernel: 'x', meterbook: { id, other: 1 } });
    let written = '';
    server.respond = async (request, response) => {
      if (request.method === 'PUT') written = await readBody(request);
      response.end(request.method === 'PUT' ? '{}' : file);
    };
    const changed = await backend().update(reference('x.ipynb'), { title: 'new' }, '', createCall());
    expect(changed).to.deep.equal({ ref: 'x.ipynb', title: 'new' });
    const content = notebookFile(3 * mebibyte, { title: 'new', kernel: 'x', meterbook: { id, other: 1 } }).toString();
    const expected = content.slice(content.indexOf('{"cells"'), content.indexOf(', "format"'));
    expect(written === `{"type":"notebook","format":"json","content":${expected}}`).to.equal(true);
  });

  it('is not held in memory together with another one', async () => {
    const file = notebookFile(2 * mebibyte);
    const slot = openJupyter({ url: server.url });
    let writing = 0;
    let mostWriting = 0;
    server.respond = async (request, response) => {
      if (request.method === 'GET') {
        response.end(file);
        return;
      }
      writing += 1;
      mostWriting = Math.max(mostWriting, writing);
      await readBody(request);
      // The other updates have time to begin their write, if nothing stops them.
      for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      writing -= 1;
      response.end('{}');
    };
    const update = (title: string) => slot.update(reference(`${title}.ipynb`), { title }, '', createCall());
    const titles = ['one', 'two', 'three', 'four'];
    const changed = await Promise.all(titles.map(update));
    expect(changed.map(({ title }) => title)).to.deep.equal(titles);
    expect(mostWriting).to.equal(1);
  });

  it('frees the memory of a failed update for the next one', async () => {
    const file = notebookFile(2 * mebibyte);
    const slot = openJupyter({ url: server.url });
    const statuses = [500, 200];
    server.respond = async (request, response) => {
      if (request.method === 'PUT') await readBody(request);
      if (request.method === 'PUT') response.writeHead(statuses.shift() ?? 200).end('{}');
      else response.end(file);
    };
    const update = () => slot.update(reference('x.ipynb'), { title: 'new' }, '', createCall());
    await expectUpstreamError(update(), 'it responded with 500');
    expect((await update()).title).to.equal('new');
  });

  it('fails in time while another one is held in memory', async () => {
    const file = notebookFile(2 * mebibyte);
    const slot = openJupyter({ url: server.url });
    let finishWrite = () => {};
    const writes = new Promise<void>((resolve) => {
      server.respond = async (request, response) => {
        if (request.method === 'GET') {
          response.end(file);
          return;
        }
        await readBody(request);
        finishWrite = () => response.end('{}');
        resolve();
      };
    });
    const first = slot.update(reference('one.ipynb'), { title: 'one' }, '', createCall());
    await writes;
    const ended = new AbortController();
    const second = slot.update(reference('two.ipynb'), { title: 'two' }, '', createCall(ended.signal));
    ended.abort();
    const error = await second.catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(UpstreamError).and.to.include({ retryable: true });
    finishWrite();
    expect((await first).title).to.equal('one');
  });

  it('is refused if its metadata are too long, missing or malformed', async () => {
    for (const [body, reason] of [
      [notebookFile(10, { title: 'a'.repeat(2 * mebibyte) }), 'the metadata of the notebook are too long'],
      [Buffer.from('{"content": {"cells": []}}'), 'its response is malformed: "content.metadata" is required'],
      [Buffer.from('{"content": null}'), 'its response is malformed: "content.metadata" is required'],
      [Buffer.from('{"content": {"metadata": {"title": }}}'), 'its response is not JSON'],
      [notebookFile(10).subarray(0, 60), 'its response is not JSON'],
      [Buffer.from('<html>'), 'its response is not JSON'],
      [Buffer.from(''), 'its response is not JSON'],
    ] as const) {
      server.respond = (_request, response) => {
        response.end(body);
      };
      await expectUpstreamError(backend().read(reference('x.ipynb'), createCall()), reason);
    }
  });
});
