// What clients ask before and beside their work: who are you, are you well, this session is over.
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
