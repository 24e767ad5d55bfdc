// Every command there is, by the name it is called with.
import { CommandError } from '../errors.ts';
import type { Reply } from '../wire-message.ts';
import { type Command, type CommandContext, checkFields } from './command.ts';
import {
  create,
  createIndexes,
  drop,
  dropDatabase,
  dropIndexes,
  listCollections,
  listDatabases,
  listIndexes,
} from './definitions.ts';
import { buildInfo, hello, noTransactions, ping, sessions } from './handshake.ts';
import { aggregate, count, distinct, find, getMore, killCursors } from './reads.ts';
import { findAndModify, insert, remove, update } from './writes.ts';

const commands = new Map<string, Command>(
  Object.entries({
    hello,
    isMaster: hello,
    ismaster: hello,
    ping,
    buildInfo,
    buildinfo: buildInfo,
    endSessions: sessions,
    killSessions: sessions,
    refreshSessions: sessions,
    commitTransaction: noTransactions,
    abortTransaction: noTransactions,
    find,
    getMore,
    killCursors,
    aggregate,
    count,
    distinct,
    insert,
    update,
    delete: remove,
    findAndModify,
    findandmodify: findAndModify,
    createIndexes,
    listIndexes,
    dropIndexes,
    create,
    drop,
    dropDatabase,
    listCollections,
    listDatabases,
  }),
);

/** Runs a command. Throws CommandNotFound and the command's own refusals. */
export async function runCommand(context: CommandContext): Promise<Reply> {
  const { request, body } = context;
  const command = commands.get(request.name);
  if (!command) throw new CommandError('CommandNotFound', `no such command: '${request.name}'`);
  checkFields(request.name, command, body);
  return command.run(context);
}
