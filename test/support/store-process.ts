import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { spawnChild, unrefChild, waitForClose } from '../../scripts/local-stack/child-process.ts';
import { documentStoreProgram } from '../../scripts/local-stack/services.ts';
import { createOwnFolder } from './own-redis.ts';

/** The embedded document store in a process of its own. */
export interface StoreProcess {
  url: string;
  child: ChildProcess;
  close: () => Promise<void>;
}

/** Starts a document store on a free port and an empty folder. Both end with this process. */
export async function startStoreProcess(): Promise<StoreProcess> {
  const directory = await createOwnFolder();
  // Tests of durability start a store of their own; for all others, a sync to disk after every
  // write is only a delay.
  const environment = { ...process.env, DOCUMENT_STORE_SYNC: 'off' };
  const program = documentStoreProgram({ port: 0, directory }, environment);
  const child = spawnChild({ ...program, channel: true });
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-4_000);
  });
  // The output is read and discarded, because a full pipe would block the store.
  child.stdout?.resume();
  const ended = once(child, 'exit').then(() => {
    throw new Error(`The document store ended during its start: ${stderr.trim()}`);
  });
  const [message] = (await Promise.race([once(child, 'message'), ended])) as [{ listening: number }];
  ended.catch(() => {});
  // The store does not keep the test run alive.
  unrefChild(child);
  return {
    url: `mongodb://127.0.0.1:${message.listening}`,
    child,
    close: async () => {
      child.ref();
      child.kill('SIGTERM');
      await waitForClose(child);
    },
  };
}
