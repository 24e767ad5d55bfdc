// A process with a supervisor of three services, which the test kills. Argument: a folder. Sends
// the process ids of its services once they have started.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Supervisor } from '../../../../scripts/local-stack/supervisor.ts';

const folder = process.argv[2] ?? '';
const program = fileURLToPath(new URL('./report-order.mjs', import.meta.url));
const services = ['first', 'second', 'third'].map((name) => ({
  name,
  program: { command: process.execPath, args: [program, name, join(folder, 'journal')], environment: {} },
}));
const supervisor = new Supervisor({ services, logsDirectory: join(folder, 'logs'), print: () => {} });
await supervisor.start();
process.send?.(supervisor.processIds());
process.on('message', () => {});
