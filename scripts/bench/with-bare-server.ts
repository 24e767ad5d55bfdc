import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Runs `work` beside the server of `bare-server.ts`. */
export async function withBareServer<T>(work: (server: { url: string; pid: number }) => Promise<T>): Promise<T> {
  const file = fileURLToPath(new URL('./bare-server.ts', import.meta.url));
  const child = fork(file, { execArgv: ['--import', 'tsx'] });
  try {
    const [port] = (await once(child, 'message')) as [number];
    return await work({ url: `http://127.0.0.1:${port}`, pid: child.pid ?? 0 });
  } finally {
    child.kill();
  }
}
