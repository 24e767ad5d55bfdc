// The watchdog of a process that starts children. When the process ends for any reason, the
// watchdog stops the children in reverse order. The watchdog is JavaScript, so that it starts in
// milliseconds, and has a session of its own, so that it outlives a closed terminal. It reads
// messages from standard input, which is a pipe. The content of a pipe can still be read after the
// process has ended.
import { readFileSync, rmSync } from 'node:fs';
import { createInterface } from 'node:readline';

const graceMs = 3_000;
const watched = new Set();
const folders = new Set();

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});

for await (const line of createInterface({ input: process.stdin })) {
  const { watch, unwatch, remove } = JSON.parse(line);
  if (watch !== undefined) watched.add(watch);
  if (unwatch !== undefined) watched.delete(unwatch);
  if (remove !== undefined) folders.add(remove);
}
for (const pid of [...watched].reverse()) await stop(pid);
for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });

async function stop(pid) {
  signal(pid, 'SIGTERM');
  const deadline = Date.now() + graceMs;
  while (isAlive(pid) && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20));
  // The signal goes to the whole process group, with the processes that the child started.
  signal(-pid, 'SIGKILL');
}

function isAlive(pid) {
  if (!signal(pid, 0)) return false;
  try {
    // In a container whose first process does not reap zombies, ended processes stay in the process
    // table.
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return true;
  }
}

function signal(pid, name) {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}
