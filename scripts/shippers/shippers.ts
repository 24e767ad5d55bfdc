import { daemonShippers } from './daemons.ts';
import { loggerShippers } from './loggers.ts';
import type { Shipper } from './shipper.ts';
import type { Chosen } from './start-participant.ts';
import { startTool } from './start-tool.ts';
import { openToolFolder } from './tool-folder.ts';

/** The script of the document, with its log file as standard input. */
const curl: Shipper = {
  name: 'curl',
  find: async (tools) => {
    const program = await tools.findProgram('curl');
    if (program === null) return null;
    return {
      version: await tools.version(program, ['--version'], /curl ([\d.]+)/),
      start: async (configuration, { logFile }) => {
        const script = configuration.replaceAll(logFile, '-');
        const tool = startTool('sh', ['-c', script], { environment: process.env, hasInput: true });
        return { ...tool, endsWithInput: true };
      },
    };
  },
  bound: () => ({ promise: 'each once', lost: 0, twice: 0 }),
};

export const shippers: readonly Shipper[] = [curl, ...daemonShippers, ...loggerShippers];

/**
 * Finds the tools with these names, or all, on this machine.
 * @param folder a folder into which packages of Debian were unpacked.
 */
export async function findShippers(only: readonly string[] | undefined, folder: string | undefined): Promise<Chosen[]> {
  const wanted = shippers.filter(({ name }) => only?.includes(name) ?? true);
  if (wanted.length === 0) throw new Error(`--only: use one of ${shippers.map(({ name }) => name).join(', ')}.`);
  const tools = await openToolFolder(folder);
  const chosen: Chosen[] = [];
  for (const shipper of wanted) {
    const found = await shipper.find(tools);
    if (found) chosen.push({ shipper, found });
    else console.error(`${shipper.name} is not on this machine.`);
  }
  return chosen;
}
