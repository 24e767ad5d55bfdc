// A process with a supervisor of three services, to be killed from outside. Argument: a folder. It reports the process
// ids of its services when they are up.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Supervisor } from '../../../../scripts/local-stack/supervisor.ts';

const folder = process.argv[2] ?? '';
const program = fileURLToPath(new URL('./report-order.mjs', import.meta.url));
const services = ['first', 'second', 'third'].map((name) => ({
  name,
  program: { command: process.execPath, args: [program, name, join(folder, 'journal')], environment: {} },
}));
const supervisor = new Supervisor({ services, logsDirectory: join(folder, 'logs'), say: () => {} });
await supervisor.start();
process.send?.(supervisor.processIds());
process.on('message', () => {});
