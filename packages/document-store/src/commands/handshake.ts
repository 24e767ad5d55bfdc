// Commands about the server and the session.
import { isTruthy } from '../bson/numbers.ts';
import { maxDocumentBytes } from '../stored-document.ts';
import { maxMessageBytes } from '../wire-message.ts';
import type { Command } from './command.ts';

/** The server version whose behaviour is implemented. Wire version 21 belongs to it. */
const version = '7.0.0';

export const hello: Command = {
  fields: [],
  run: ({ connectionId, request }) => ({
    ...(request.command === 'hello' ? { isWritablePrimary: true } : { ismaster: true }),
    ...(isTruthy(request.body.get('helloOk')) ? { helloOk: true } : {}),
    maxBsonObjectSize: maxDocumentBytes,
    maxMessageSizeBytes: maxMessageBytes,
    maxWriteBatchSize: 100_000,
    localTime: new Date(),
    logicalSessionTimeoutMinutes: 30,
    connectionId,
    minWireVersion: 0,
    maxWireVersion: 21,
    readOnly: false,
    ok: 1,
  }),
};

export const ping: Command = { fields: [], run: () => ({ ok: 1 }) };

export const buildInfo: Command = {
  fields: [],
  run: () => ({
    version,
    versionArray: [...version.split('.').map(Number), 0],
    gitVersion: 'none',
    bits: 64,
    debug: false,
    maxBsonObjectSize: maxDocumentBytes,
    modules: [],
    storageEngines: ['lmdb'],
    ok: 1,
  }),
};

/** Sessions have no state. */
export const sessions: Command = { fields: [], run: () => ({ ok: 1 }) };
