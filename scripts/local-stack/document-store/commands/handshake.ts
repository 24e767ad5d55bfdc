// What clients ask before and beside their work: who are you, are you well, this session is over.
import { arch, cpus, hostname, platform, totalmem } from 'node:os';
import type { BsonDocument } from '../bson-values.ts';
import { CommandError } from '../errors.ts';
import { maxDocumentBytes } from '../raw-document.ts';
import { maxMessageBytes } from '../wire-message.ts';
import type { Command, CommandContext } from './command.ts';

/** The server version whose behaviour we follow; wire version 21 belongs to it. */
const version = '7.0.0';

export const hello: Command = {
  fields: null,
  run({ connectionId, request, body }: CommandContext): BsonDocument {
    return {
      ...(request.name === 'hello' ? { isWritablePrimary: true } : { ismaster: true }),
      ...(body.helloOk === true ? { helloOk: true } : {}),
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
    };
  },
};

const simple = (answer: (context: CommandContext) => BsonDocument): Command => ({
  fields: null,
  run: (context) => ({ ...answer(context), ok: 1 }),
});

export const ping = simple(() => ({}));

export const buildInfo = simple(() => ({
  version,
  versionArray: [...version.split('.').map(Number), 0],
  gitVersion: 'none',
  bits: 64,
  debug: false,
  maxBsonObjectSize: maxDocumentBytes,
  modules: [],
  storageEngines: ['lmdb'],
}));

export const hostInfo = simple(() => ({
  system: {
    currentTime: new Date(),
    hostname: hostname(),
    numCores: cpus().length,
    cpuArch: arch(),
    memSizeMB: Math.floor(totalmem() / 2 ** 20),
  },
  os: { type: platform(), name: platform(), version: '' },
  extra: {},
}));

export const getParameter = simple(({ body }) => {
  if (body.featureCompatibilityVersion !== undefined) return { featureCompatibilityVersion: { version: '7.0' } };
  throw new CommandError('InvalidOptions', 'no option found to get');
});

export const connectionStatus = simple(() => ({
  authInfo: { authenticatedUsers: [], authenticatedUserRoles: [], authenticatedUserPrivileges: [] },
}));

export const serverStatus = simple(({ store }) => ({
  host: hostname(),
  version,
  process: 'document-store',
  pid: process.pid,
  uptime: (Date.now() - store.startedAt) / 1000,
  localTime: new Date(),
  metrics: { cursor: { open: { total: store.cursors.size } } },
}));

export const sessions = simple(() => ({}));

export const noTransactions: Command = {
  fields: null,
  run(): BsonDocument {
    throw new CommandError(
      'IllegalOperation',
      'Transaction numbers are only allowed on a replica set member or mongos',
    );
  },
};
