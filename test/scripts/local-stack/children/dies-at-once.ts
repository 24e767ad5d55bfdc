// Starts a child under a watchdog and kills itself before the watchdog has started. Argument: a
// folder that the watchdog removes. Prints the process id of the child.
import { writeSync } from 'node:fs';
import { spawnChild } from '../../../../scripts/local-stack/spawn-child.ts';
import { Watchdog } from '../../../../scripts/local-stack/watchdog.ts';

const watchdog = new Watchdog();
watchdog.removeAtEnd(process.argv[2] ?? '');
const child = spawnChild({ command: 'sleep', args: ['600'], environment: process.env }, watchdog);
writeSync(1, `${child.pid}\n`);
process.kill(process.pid, 'SIGKILL');
