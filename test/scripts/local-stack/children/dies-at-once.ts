// Starts a child under a watchdog and is gone before the watchdog has even started. Argument: a folder, which the
// watchdog is to remove. Prints the id of the child.
import { writeSync } from 'node:fs';
import { spawnChild } from '../../../../scripts/local-stack/spawn-child.ts';
import { Watchdog } from '../../../../scripts/local-stack/watchdog.ts';

const watchdog = new Watchdog();
watchdog.removeAtEnd(process.argv[2] ?? '');
const child = spawnChild({ command: 'sleep', args: ['600'], environment: process.env }, watchdog);
writeSync(1, `${child.pid}\n`);
process.kill(process.pid, 'SIGKILL');
