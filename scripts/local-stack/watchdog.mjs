// The watchdog of a process that starts others: when that process is gone, however it went, the others are stopped, the
// last started first. Plain JavaScript and a session of its own: it starts in milliseconds and outlives a killed terminal.
// It hears through its standard input, a pipe: what was written before the end is still read after it.
import { readFileSync, rmSync } from 'node:fs';
import { createInterface } from 'node:readline';

const graceMs = 3_000;
const watched = new Set();
const folders = new Set();

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});

for await (const line of createInterface({ input: process.stdin })) {
  const { watch, forget, remove } = JSON.parse(line);
  if (watch !== undefined) watched.add(watch);
  if (forget !== undefined) watched.delete(forget);
  if (remove !== undefined) folders.add(remove);
}
for (const pid of [...watched].reverse()) await stop(pid);
for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });

async function stop(pid) {
  signal(pid, 'SIGTERM');
  const deadline = Date.now() + graceMs;
  while (isAlive(pid) && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20));
  // The whole group: what the process had started in its turn goes with it.
  signal(-pid, 'SIGKILL');
}

function isAlive(pid) {
  if (!signal(pid, 0)) return false;
  try {
    // In a container whose first process collects nobody, the dead stay in the process table.
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
