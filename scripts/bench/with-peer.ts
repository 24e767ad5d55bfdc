import { join } from 'node:path';
import { findFreePort } from '../local-stack/free-port.ts';
import { typescriptProgram, waitForPort } from '../local-stack/services.ts';
import { Supervisor } from '../local-stack/supervisor.ts';
import type { BenchStack } from './bench-stack.ts';

/** A server with the same `POST /ingest`, and its processes. */
export interface Peer {
  url: string;
  processIds(): Record<string, number>;
}

/** Runs `work` beside the two processes of `peer.ts`, which use the servers of the stack. */
export async function withPeer<T>(stack: BenchStack, work: (peer: Peer) => Promise<T>): Promise<T> {
  const port = await findFreePort();
  const program = (role: string) =>
    typescriptProgram('scripts/bench/peer.ts', { ...stack.environment, PEER_ROLE: role, PORT: String(port) });
  const supervisor = new Supervisor({
    logsDirectory: join(stack.dataDirectory, 'peer'),
    print: (line) => console.error(line),
  });
  try {
    await supervisor.start([
      { name: 'worker', program: program('worker') },
      { name: 'web', program: program('web'), ready: (signal) => waitForPort(port, signal) },
    ]);
    return await work({ url: `http://127.0.0.1:${port}`, processIds: () => supervisor.processIds() });
  } finally {
    await supervisor.stop();
  }
}
