import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { atLeastOnce, type FoundShipper, type Shipper } from './shipper.ts';
import { startTool } from './start-tool.ts';
import type { ToolFolder } from './tool-folder.ts';

/** A program that follows the log file, by a configuration of its own format. */
interface Daemon {
  name: string;
  program: string;
  /** The command that prints the version, and the place of the version in its output. */
  version: readonly [args: readonly string[], pattern: RegExp];
  /** The name of the folder of its modules, and a module that the configuration needs. */
  modules?: readonly [folder: string, needed: string];
  fileName: string;
  /** Completes the configuration of the document to a file that the program starts with. */
  complete?(configuration: string, directory: string): string;
  args(file: string, directory: string, modules: string | null): string[];
  bound: Shipper['bound'];
}

const rsyslog = {
  program: 'rsyslogd',
  version: [['-v'], /rsyslogd\s+([\d.]+)/],
  fileName: 'rsyslog.conf',
  // These are in the main file of every package.
  complete: (configuration: string, directory: string) =>
    `global(workDirectory="${directory}")\nmain_queue(queue.type="LinkedList")\n${configuration}`,
  args: (file: string, directory: string, modules: string | null) => [
    '-n',
    '-f',
    file,
    '-i',
    join(directory, 'rsyslog.pid'),
    ...(modules === null ? [] : ['-M', modules]),
  ],
} as const;

const daemons: readonly Daemon[] = [
  {
    ...rsyslog,
    name: 'rsyslog',
    modules: ['rsyslog', 'omprog.so'],
    bound: () => ({ promise: 'each once', lost: 0, twice: 0 }),
  },
  {
    ...rsyslog,
    name: 'rsyslog with omhttp',
    modules: ['rsyslog', 'omhttp.so'],
    bound: atLeastOnce(1),
  },
  {
    name: 'syslog-ng',
    program: 'syslog-ng',
    version: [['--version'], /syslog-ng \d+ \(([\d.]+)\)/],
    modules: ['syslog-ng', 'libhttp.so'],
    fileName: 'syslog-ng.conf',
    complete: (configuration) => `@version: current\n${configuration}`,
    args: (file, directory, modules) => [
      '--foreground',
      '--no-caps',
      `--cfgfile=${file}`,
      `--pidfile=${join(directory, 'syslog-ng.pid')}`,
      `--control=${join(directory, 'syslog-ng.ctl')}`,
      `--persist-file=${join(directory, 'syslog-ng.persist')}`,
      ...(modules === null ? [] : [`--module-path=${modules}`]),
    ],
    bound: atLeastOnce(1000),
  },
  {
    name: 'Fluent Bit',
    program: 'fluent-bit',
    version: [['--version'], /v([\d.]+)/],
    fileName: 'fluent-bit.yaml',
    args: (file) => ['--config', file],
    bound: atLeastOnce(10_000),
  },
  {
    name: 'Fluentd',
    program: 'fluentd',
    version: [['--version'], /([\d.]+)/],
    fileName: 'fluent.conf',
    args: (file) => ['--config', file, '--no-supervisor'],
    bound: atLeastOnce(10_000),
  },
  {
    name: 'Vector',
    program: 'vector',
    version: [['--version'], /vector ([\d.]+)/],
    fileName: 'vector.yaml',
    args: (file) => ['--config', file],
    bound: atLeastOnce(10_000),
  },
];

export const daemonShippers: readonly Shipper[] = daemons.map((daemon) => ({
  name: daemon.name,
  bound: daemon.bound,
  find: (tools) => findDaemon(daemon, tools),
}));

async function findDaemon(daemon: Daemon, tools: ToolFolder): Promise<FoundShipper | null> {
  const program = await tools.findProgram(daemon.program);
  if (program === null) return null;
  const modules = daemon.modules ? await tools.findModules(...daemon.modules) : null;
  if (daemon.modules && modules === null) return null;
  return {
    version: await tools.version(program, ...daemon.version),
    start: async (configuration, { directory }) => {
      const file = join(directory, daemon.fileName);
      await writeFile(file, daemon.complete?.(configuration, directory) ?? configuration);
      return startTool(program, daemon.args(file, directory, modules), { environment: tools.environment });
    },
  };
}
