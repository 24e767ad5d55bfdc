// All commands, by name.
import { CommandError } from '../errors.ts';
import type { Reply, Request } from '../wire-message.ts';
import { type Command, checkFields, deadlineOf, type Store } from './command.ts';
import { create, createIndexes, drop, dropDatabase, dropIndexes, listCollections, listIndexes } from './definitions.ts';
import { buildInfo, hello, ping, sessions } from './handshake.ts';
import { aggregate, find, getMore, killCursors } from './reads.ts';
import { findAndModify, insert, remove, update } from './writes.ts';

/**
 * Drivers send these before they know the server, with fields that differ between versions. Their
 * fields are not checked.
 */
const handshake = new Map<string, Command>(
  Object.entries({
    hello,
    ismaster: hello,
    ping,
    buildinfo: buildInfo,
    endSessions: sessions,
  }),
);

const commands = new Map<string, Command>(
  Object.entries({
    find,
    getMore,
    killCursors,
    aggregate,
    insert,
    update,
    delete: remove,
    findAndModify,
    createIndexes,
    listIndexes,
    dropIndexes,
    create,
    drop,
    dropDatabase,
    listCollections,
  }),
);

/** Runs a command. Throws CommandNotFound and the command's own refusals. */
export async function runCommand(store: Store, request: Request, connectionId: number): Promise<Reply> {
  const deadline = deadlineOf(request.body);
  const context = { store, request, connectionId, deadline };
  const unchecked = handshake.get(request.command);
  if (unchecked) return unchecked.run(context);
  const command = commands.get(request.command);
  if (!command) throw new CommandError('CommandNotFound', `no such command: '${request.command}'`);
  checkFields(request, command);
  return command.run(context);
}
