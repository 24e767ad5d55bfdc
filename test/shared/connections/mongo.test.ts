import { once } from 'node:events';
import { createRequire } from 'node:module';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { expect } from 'chai';
import { mongo } from 'mongoose';
import { failWritesToClosedSockets, isMongoUnavailable } from '../../../shared/connections/mongo.ts';

/** The driver's error of a bulk write that has met `error`. */
const inBulkWrite = (error: Error | { message: string; code: number }) =>
  new mongo.MongoBulkWriteError(error, {} as never);

describe('errors of MongoDB', () => {
  it('a server that cannot serve now counts as an unavailable database', () => {
    for (const code of [
      6, 7, 43, 50, 64, 89, 91, 100, 112, 133, 134, 189, 262, 9001, 10058, 10107, 11600, 11602, 13435, 13436, 14031,
    ]) {
      const error = new mongo.MongoServerError({ message: 'not now', code });
      expect(isMongoUnavailable(error), String(code)).to.equal(true);
    }
    expect(isMongoUnavailable(new mongo.MongoServerError({ message: 'no such command', code: 59 }))).to.equal(false);
  });

  it('the loss of a connection during a bulk write counts as an unavailable database', () => {
    expect(isMongoUnavailable(inBulkWrite(new mongo.MongoNetworkError('interrupted')))).to.equal(true);
    expect(isMongoUnavailable(inBulkWrite(Object.assign(new Error('write'), { code: 'EPIPE' })))).to.equal(true);
    expect(isMongoUnavailable(inBulkWrite({ message: 'not primary', code: 10_107 }))).to.equal(true);
  });

  it('a bulk write that the server refuses is no sign of an unavailable database', () => {
    expect(isMongoUnavailable(inBulkWrite({ message: 'E11000', code: 11_000 }))).to.equal(false);
    expect(isMongoUnavailable(inBulkWrite(new RangeError('too large')))).to.equal(false);
  });
});

const { Connection } = createRequire(import.meta.url)('mongodb/lib/cmap/connection.js') as {
  Connection: new (socket: object, options: object) => { command(namespace: object, command: object): Promise<object> };
};

describe('a command of the driver', () => {
  let server: Server;
  before(async () => {
    failWritesToClosedSockets();
    server = createServer((socket) => socket.resume().on('error', () => {})).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  after(() => server.close());

  for (const state of ['destroyed, and has not closed yet', 'closed'] as const) {
    it(`fails on a socket that is ${state}`, async () => {
      const { port } = server.address() as AddressInfo;
      const socket = connect(port, '127.0.0.1');
      await once(socket, 'connect');
      const connection = new Connection(socket, { id: 1, hostAddress: `127.0.0.1:${port}` });
      socket.destroy();
      if (state === 'closed') await once(socket, 'close');
      const error: unknown = await connection.command({ db: 'admin' }, { hello: 1 }).catch((reason: unknown) => reason);
      expect(error).to.have.property('name', 'MongoNetworkError');
    });
  }
});
