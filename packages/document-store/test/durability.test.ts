import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { MongoClient } from 'mongodb';
import { startDocumentStore } from '../src/document-store.ts';
import { openFixture } from './store-fixture.ts';
import { waitUntil } from './wait-until.ts';

const entry = fileURLToPath(new URL('../src/main.ts', import.meta.url));

interface StoreProcess {
  child: ChildProcess;
  url: string;
  /** The output on stdout. */
  printed: unknown;
}

describe('document store: as a process', () => {
  let directory: string;
  const children: ChildProcess[] = [];
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'document-store-process-'));
  });
  afterEach(async () => {
    for (const child of children.splice(0)) {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
    }
    await rm(directory, { recursive: true, force: true });
  });

  function launch(port = 0): ChildProcess {
    const child = spawn(process.execPath, ['--import', 'tsx', entry], {
      env: { ...process.env, DOCUMENT_STORE_DIR: directory, DOCUMENT_STORE_PORT: String(port) },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    children.push(child);
    return child;
  }

  async function started(): Promise<StoreProcess> {
    const child = launch();
    const [[message], [line]] = await Promise.all([
      once(child, 'message'),
      once(child.stdout as NodeJS.ReadableStream, 'data'),
    ]);
    const { listening } = message as { listening: number };
    return { child, url: `mongodb://127.0.0.1:${listening}`, printed: JSON.parse(String(line)) };
  }

  it('reports its port on stdout and over IPC, and exits 0 on SIGTERM', async () => {
    const { child, url, printed } = await started();
    expect(printed).to.deep.equal({ listening: Number(new URL(url).port) });
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).to.deep.equal([0, null]);
  });

  it('prints in one sentence that its port is in use, and exits 1', async () => {
    const { url } = await started();
    const second = launch(Number(new URL(url).port));
    let said = '';
    second.stderr?.on('data', (chunk) => {
      said += String(chunk);
    });
    // All that it has said is there only once its pipes are closed.
    expect(await once(second, 'close')).to.deep.equal([1, null]);
    expect(said).to.match(/^Port \d+ is taken: set DOCUMENT_STORE_PORT to a free one, or to 0\.\n$/);
  });

  it('loses no acknowledged write when it is killed', async () => {
    const { child, url } = await started();
    const client = new MongoClient(url, { retryWrites: false });
    const rows = client.db('test').collection<{ _id: number; text: string }>('rows');
    await rows.createIndex({ text: 1 });
    const acknowledged: number[] = [];
    const killed = once(child, 'exit').then(async (how) => {
      // Otherwise the client would look for the store for another half minute.
      await client.close();
      return how;
    });
    let next = 0;
    const writer = async (): Promise<void> => {
      try {
        for (;;) {
          const _id = next;
          next += 1;
          await rows.insertOne({ _id, text: `row ${_id} ${'x'.repeat(500)}` });
          acknowledged.push(_id);
          if (acknowledged.length === 400) child.kill('SIGKILL');
        }
      } catch {
        // The store is gone: what was in flight has no response.
      }
    };
    await Promise.all(Array.from({ length: 8 }, writer));
    expect(await killed).to.deep.equal([null, 'SIGKILL']);
    const store = await startDocumentStore({ directory });
    const reader = new MongoClient(store.url);
    try {
      const kept = reader.db('test').collection<{ _id: number; text: string }>('rows');
      const ids = new Set((await kept.find().toArray()).map(({ _id }) => _id));
      expect(acknowledged.filter((_id) => !ids.has(_id))).to.deep.equal([]);
      expect(acknowledged.length).to.be.at.least(400);
      const viaIndex = await kept.countDocuments({ text: { $gte: 'row ' } });
      expect(viaIndex).to.equal(ids.size);
    } finally {
      await reader.close();
      await store.close();
    }
  });
});

describe('document store: on its folder', () => {
  it('has documents, indexes and their flags after a restart', async () => {
    const fixture = await openFixture();
    try {
      await fixture.db.collection('rows').createIndexes([{ key: { name: 1 }, unique: true }, { key: { tags: 1 } }]);
      await fixture.db.collection('rows').insertMany([
        { name: 'a', tags: ['x', 'y'] },
        { name: 'b', tags: [] },
      ]);
      await fixture.restart();
      const rows = fixture.db.collection('rows');
      expect(await rows.indexes()).to.have.length(3);
      expect(await rows.countDocuments({ tags: 'y' })).to.equal(1);
      expect(await rows.countDocuments()).to.equal(2);
      const error = await rows.insertOne({ name: 'a' }).catch((thrown: unknown) => thrown);
      expect(error).to.have.property('code', 11000);
      await rows.insertOne({ name: 'c' });
      expect((await rows.find().toArray()).map(({ name }) => name)).to.deep.equal(['a', 'b', 'c']);
    } finally {
      await fixture.close();
    }
  });

  it('makes its files readable by their owner only', async () => {
    const parent = await mkdtemp(join(tmpdir(), 'document-store-modes-'));
    const directory = join(parent, 'data', 'store');
    const modes = async (): Promise<number[]> => {
      const paths = [
        join(parent, 'data'),
        directory,
        ...(await readdir(directory)).map((name) => join(directory, name)),
      ];
      return Promise.all(paths.map(async (path) => (await stat(path)).mode & 0o777));
    };
    try {
      await (await startDocumentStore({ directory })).close();
      expect(await modes()).to.deep.equal([0o700, 0o700, 0o600, 0o600]);
    } finally {
      await rm(parent, { recursive: true, force: true });
    }
  });

  it('removes expired documents', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'document-store-ttl-'));
    const store = await startDocumentStore({ directory, ttlIntervalMs: 20 });
    const client = new MongoClient(store.url);
    try {
      const rows = client.db('test').collection('rows');
      await rows.createIndex({ at: 1 }, { expireAfterSeconds: 60 });
      await rows.insertMany([
        { name: 'old', at: new Date(Date.now() - 61_000) },
        { name: 'new', at: new Date() },
        { name: 'no date', at: 'yesterday' },
        { name: 'none' },
      ]);
      await waitUntil('the old one to go', async () => (await rows.countDocuments()) === 3);
      expect((await rows.find().toArray()).map(({ name }) => name)).to.deep.equal(['new', 'no date', 'none']);
      expect((await rows.indexes()).at(-1)).to.include({ expireAfterSeconds: 60 });
    } finally {
      await client.close();
      await store.close();
      await rm(directory, { recursive: true, force: true });
    }
  });
});

describe('document store: malformed input', () => {
  const header = (length: number, operation: number): Buffer => {
    const bytes = Buffer.alloc(16);
    bytes.writeInt32LE(length, 0);
    bytes.writeInt32LE(operation, 12);
    return bytes;
  };
  const message = (body: Buffer, operation = 2013): Buffer =>
    Buffer.concat([header(16 + body.length, operation), body]);
  const inputs: [string, Buffer, boolean][] = [
    ['a negative length', header(-5, 2013), true],
    ['a length above the limit', header(100_000_000, 2013), true],
    ['text', Buffer.from('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'), true],
    ['an unknown operation', message(Buffer.alloc(8), 42), true],
    ['an empty message', message(Buffer.alloc(0)), true],
    ['a body cut short', message(Buffer.from([0, 0, 0, 0, 0, 200, 0, 0, 0, 1])), true],
    ['an unknown section', message(Buffer.from([0, 0, 0, 0, 9, 5, 0, 0, 0, 0])), true],
    ['a sequence that is too long', message(Buffer.from([0, 0, 0, 0, 1, 255, 0, 0, 0, 120, 0])), true],
    ['half a message', message(Buffer.alloc(100)).subarray(0, 40), false],
  ];
  for (const [what, bytes, closes] of inputs) {
    it(`the store survives malformed input: ${what}`, async () => {
      const fixture = await openFixture();
      try {
        const socket = connect(fixture.store.port, '127.0.0.1');
        await once(socket, 'connect');
        socket.on('error', () => socket.destroy());
        // Not by `once`: a reset, which may come before it, would count as a failure.
        const closed = new Promise((resolve) => socket.once('close', resolve));
        socket.write(bytes);
        if (!closes) socket.destroy();
        socket.resume();
        await closed;
        expect(await fixture.db.command({ ping: 1 })).to.include({ ok: 1 });
      } finally {
        await fixture.close();
      }
    });
  }

  it('the store listens on loopback only', async () => {
    const error = await startDocumentStore({ directory: tmpdir(), host: '0.0.0.0' }).catch((thrown: unknown) => thrown);
    expect(String(error)).to.contain('loopback only');
  });
});
