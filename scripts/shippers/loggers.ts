import { symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { atLeastOnce, type Bound, type Shipper } from './shipper.ts';
import { startTool } from './start-tool.ts';

const require = createRequire(import.meta.url);
const packages = fileURLToPath(new URL('../../node_modules', import.meta.url));

/** Logs every line of the input with the logger of the document, and goes on as a service does. */
const logInput = `
import { createInterface } from 'node:readline';
for await (const line of createInterface({ input: process.stdin })) logger.info(line);
setInterval(() => {}, 1000);
`;

export const loggerShippers: readonly Shipper[] = [
  {
    name: 'winston',
    find: () => findLogger('winston'),
    bound: ({ linesWithoutWeb }): Bound => ({
      promise: 'what is logged while web is down is lost',
      lost: linesWithoutWeb,
      twice: 0,
    }),
  },
  { name: 'pino', find: () => findLogger('pino-http-transport'), bound: atLeastOnce(500) },
];

async function findLogger(packageName: string) {
  const { version } = require(join(packages, packageName, 'package.json')) as { version: string };
  return {
    version,
    start: async (configuration: string, { directory }: { directory: string }) => {
      // So that the packages of this project are found.
      await symlink(packages, join(directory, 'node_modules'));
      const file = join(directory, 'app.mjs');
      await writeFile(file, configuration + logInput);
      return startTool(process.execPath, [file], { environment: process.env, hasInput: true });
    },
  };
}
