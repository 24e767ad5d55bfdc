import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { adaptConfiguration, readConfigurations } from './documented-configurations.ts';
import { type Feed, startFeed } from './feed.ts';
import type { FoundShipper, RunningShipper, Shipper } from './shipper.ts';

export interface Chosen {
  readonly shipper: Shipper;
  readonly found: FoundShipper;
}

/** A tool that sends lines. */
export interface Participant extends Chosen {
  readonly running: RunningShipper;
  readonly feed: Feed;
  readonly startedAt: number;
}

interface Target {
  readonly port: number;
  readonly scenarioId: string;
  readonly key: string;
}

/** Starts a tool with the configuration of the document, and lets its log grow. */
export async function startParticipant(
  { shipper, found }: Chosen,
  target: Target,
  log: { lines: readonly string[]; seconds: number; directory: string },
): Promise<Participant> {
  const [configuration, program] = (await readConfigurations()).get(shipper.name) ?? [];
  if (configuration === undefined) throw new Error(`docs/log-shippers.md has no configuration of ${shipper.name}.`);
  const directory = join(log.directory, shipper.name.replaceAll(' ', '-'));
  const logFile = join(directory, 'app.log');
  const stateDirectory = join(directory, 'state');
  await mkdir(stateDirectory, { recursive: true });
  const real = { ...target, logFile, stateDirectory };
  if (program !== undefined) {
    await writeFile(join(stateDirectory, 'send-to-meterbook'), adaptConfiguration(program, real), { mode: 0o755 });
  }
  // A tool that follows files can take a minute to find a new one.
  await writeFile(logFile, '');
  const running = await found.start(adaptConfiguration(configuration, real), { directory, logFile });
  const { input } = running;
  const feed = startFeed(log.lines, log.seconds, async (text) => {
    if (input) input.write(text);
    else await appendFile(logFile, text);
  });
  if (running.endsWithInput) void feed.done.then(() => input?.end());
  return { shipper, found, running, feed, startedAt: performance.now() };
}
