import { once } from 'node:events';
import { connect } from 'node:net';
import { deserialize, Long, serialize } from 'bson';
import { expect } from 'chai';
import type { Document } from 'mongodb';
import { Cursors } from '../src/cursors.ts';
import { CommandError } from '../src/errors.ts';
import { inSlices } from '../src/slices.ts';
import { encodeReply } from '../src/wire-message.ts';
import { openFixture, type StoreFixture } from './store-fixture.ts';

const opMessage = 2013;
const opQuery = 2004;

function framed(operation: number, body: Buffer): Buffer {
  const header = Buffer.alloc(16);
  header.writeInt32LE(16 + body.length, 0);
  header.writeInt32LE(77, 4);
  header.writeInt32LE(operation, 12);
  return Buffer.concat([header, body]);
}

function flags(bits: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(bits, 0);
  return bytes;
}

async function refusalCode(operation: Promise<unknown>): Promise<number | undefined> {
  return operation.then(
    () => undefined,
    (error: unknown) => (error instanceof CommandError ? error.code : undefined),
  );
}

describe('document store: wire messages', () => {
  let fixture: StoreFixture;
  before(async () => {
    fixture = await openFixture();
  });
  after(() => fixture.close());

  /** Sends pieces one by one and reads one reply. */
  async function exchange(pieces: readonly Buffer[], prefixBytes: number): Promise<Document> {
    const socket = connect(fixture.store.port, '127.0.0.1');
    await once(socket, 'connect');
    for (const piece of pieces) {
      socket.write(piece);
      await new Promise(setImmediate);
    }
    let received = Buffer.alloc(0);
    while (received.length < 4 || received.length < received.readInt32LE(0)) {
      const [chunk] = (await once(socket, 'data')) as [Buffer];
      received = Buffer.concat([received, chunk]);
    }
    socket.destroy();
    expect(received.readInt32LE(8)).to.equal(77);
    return deserialize(received.subarray(16 + prefixBytes));
  }

  it('responds to the handshake by OP_QUERY', async () => {
    const options = Buffer.alloc(8);
    options.writeInt32LE(-1, 4);
    const body = Buffer.concat([
      flags(0),
      Buffer.from('admin.$cmd\0'),
      options,
      serialize({ ismaster: 1, helloOk: true }),
    ]);
    expect(await exchange([framed(opQuery, body)], 20)).to.include({
      ismaster: true,
      helloOk: true,
      maxWireVersion: 21,
      ok: 1,
    });
  });

  it('accepts messages with a checksum, and messages that arrive byte by byte', async () => {
    const body = Buffer.concat([flags(1), Buffer.of(0), serialize({ ping: 1, $db: 'admin' }), Buffer.alloc(4)]);
    const message = framed(opMessage, body);
    expect(await exchange([message], 5)).to.deep.equal({ ok: 1 });
    expect(
      await exchange(
        Array.from(message, (byte) => Buffer.of(byte)),
        5,
      ),
    ).to.deep.equal({ ok: 1 });
  });

  it('accepts documents in a sequence, and sends no reply if the client expects none', async () => {
    const sequence = Buffer.concat([
      Buffer.alloc(4),
      Buffer.from('documents\0'),
      serialize({ _id: 1 }),
      serialize({ _id: 2 }),
    ]);
    sequence.writeInt32LE(sequence.length, 0);
    const insert = (bits: number, name: string) =>
      framed(
        opMessage,
        Buffer.concat([flags(bits), Buffer.of(1), sequence, Buffer.of(0), serialize({ insert: name, $db: 'test' })]),
      );
    const ping = framed(opMessage, Buffer.concat([flags(0), Buffer.of(0), serialize({ ping: 1, $db: 'admin' })]));
    expect(await exchange([insert(0, 'responded')], 5)).to.deep.equal({ n: 2, ok: 1 });
    // Both in one piece: the only reply is that of the second message.
    expect(await exchange([Buffer.concat([insert(2, 'silent'), ping])], 5)).to.deep.equal({ ok: 1 });
    expect(await fixture.db.collection('silent').countDocuments()).to.equal(2);
  });

  it('sends the documents of a cursor as they were stored, however long they are', () => {
    const documents = [0, 16_000, 17_000, 1, 500_000, 20_000].map((length, _id) => ({ _id, text: 'x'.repeat(length) }));
    for (const found of [documents, documents.slice(2), documents.slice(0, 2), []]) {
      const reply = {
        namespace: 'test.things',
        cursorId: 2n ** 40n,
        field: 'firstBatch' as const,
        documents: found.map((document) => Buffer.from(serialize(document))),
      };
      const message = Buffer.concat(encodeReply({ requestId: 77, kind: 'message', silent: false }, reply, 1));
      expect(message.readInt32LE(0)).to.equal(message.length);
      const cursor = { id: Long.fromBigInt(reply.cursorId), ns: reply.namespace, firstBatch: found };
      expect(message.subarray(21).equals(serialize({ cursor, ok: 1 }))).to.equal(true);
    }
  });

  it('closes idle cursors', async () => {
    const cursors = new Cursors({ readInSlices: (work, deadline) => inSlices(work, 10, deadline, (slice) => slice()) });
    const documents = [1, 2, 3].map((n) => Buffer.from(serialize({ n })));
    const { cursorId } = await cursors.start(documents.values(), { namespace: 'a.b', batchSize: 1 });
    cursors.closeIdle(Date.now() - 60_000);
    expect(cursors.size).to.equal(1);
    cursors.closeIdle(Date.now() + 1);
    expect(cursors.size).to.equal(0);
    expect(await refusalCode(cursors.next(cursorId, 'a.b', 1))).to.equal(43);
    cursors.close();
  });

  it('refuses a second getMore of a cursor while the first runs', async () => {
    const cursors = new Cursors({
      readInSlices: (work, deadline) => inSlices(work, 10, deadline, (slice) => Promise.resolve().then(slice)),
    });
    const documents = [1, 2, 3].map((n) => Buffer.from(serialize({ n })));
    const { cursorId } = await cursors.start(documents.values(), { namespace: 'a.b', batchSize: 1 });
    const first = cursors.next(cursorId, 'a.b', 1);
    expect(await refusalCode(cursors.next(cursorId, 'a.b', 1))).to.equal(12051);
    expect((await first).documents).to.have.length(1);
    cursors.close();
  });
});
