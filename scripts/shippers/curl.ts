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
      start: async (configuration, { directory, logFile }) => {
        const script = configuration.replaceAll(logFile, '/dev/stdin');
        const tool = startTool('sh', ['-c', script], { directory, environment: process.env, hasInput: true });
        return { ...tool, ...(tool.child.stdin ? { input: tool.child.stdin } : {}), endsWithInput: true };
      },
    };
  },
  bound: () => ({ promise: 'each once', lost: 0, twice: 0 }),
};
