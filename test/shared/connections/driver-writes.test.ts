import { once } from 'node:events';
import { createRequire } from 'node:module';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { expect } from 'chai';
import { failWritesToClosedSockets } from '../../../shared/connections/mongo.ts';

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
