import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { renderTable } from '../bench/bench-table.ts';
import { deliver } from './deliveries-table.ts';
import { generateLine } from './generated-lines.ts';
import { tryResponses } from './responses-table.ts';
import { findShippers } from './shippers.ts';

/**
 * Lets every tool of this machine send the same lines, with its configuration of
 * docs/log-shippers.md, while web is restarted twice and the worker is killed once. Prints how many
 * lines were counted. With `--responses`, prints how each tool reacts to a failing server. The exit
 * code is 1 if a tool has lost or repeated more than the document says.
 */
export async function runShippers(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string', multiple: true },
      /** A folder into which packages of Debian were unpacked. */
      tools: { type: 'string' },
      lines: { type: 'string' },
      seconds: { type: 'string', default: '60' },
      /** Ends web by SIGKILL, so that responses are lost. */
      'kill-web': { type: 'boolean', default: false },
      responses: { type: 'boolean', default: false },
    },
  });
  const { responses, only } = values;
  const seconds = Number(values.seconds);
  const lineCount = Number(values.lines ?? (responses ? 300 : 10_000));
  if (!(seconds > 0 && lineCount > 0)) throw new Error('--seconds and --lines are positive numbers.');
  const lines = Array.from({ length: lineCount }, (_, index) => generateLine(index));
  const chosen = await findShippers(only, values.tools && resolve(values.tools));
  if (chosen.length === 0) return;
  const directory = await mkdtemp(join(tmpdir(), 'meterbook-shippers-'));
  try {
    if (responses) {
      console.log(renderTable(await tryResponses(chosen, lines, directory)));
      return;
    }
    const webSignal = values['kill-web'] ? 'SIGKILL' : 'SIGTERM';
    const { table, isKept } = await deliver(chosen, { lines, seconds, directory, webSignal });
    console.log(renderTable(table));
    if (!isKept) process.exitCode = 1;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
