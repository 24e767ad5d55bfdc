import type { Shipper } from './shipper.ts';
import { startTool } from './start-tool.ts';

/** The script of the document, with its log file as standard input. */
export const curl: Shipper = {
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
