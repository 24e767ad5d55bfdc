// A process with a supervisor, which the test kills. Argument: a folder. Sends the process ids of
// its services once they have started. The last one does not end by SIGTERM.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Supervisor } from '../../../../scripts/local-stack/supervisor.ts';

const folder = process.argv[2] ?? '';
const program = fileURLToPath(new URL('./report-order.mjs', import.meta.url));
const services = ['first', 'second', 'ignore-sigterm'].map((name) => ({
  name,
  program: { command: process.execPath, args: [program, name, join(folder, 'journal')], environment: {} },
}));
const supervisor = new Supervisor({ logsDirectory: join(folder, 'logs'), print: () => {} });
await supervisor.start(services);
process.send?.(supervisor.processIds());
process.on('message', () => {});
