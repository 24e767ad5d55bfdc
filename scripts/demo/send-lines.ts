import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { SingleBar } from 'cli-progress';
import { generateLogLines } from '../../page/sample/generate-log-lines.ts';
import { day } from '../../shared/durations.ts';
import { type ApiClient, DemoError } from './api-client.ts';
import { cutBodies } from './cut-bodies.ts';
import type { DemoArguments } from './demo-arguments.ts';
import type { Sent } from './demo-messages.ts';

const chunkLength = 64 * 1024;

interface Input {
  name: string;
  /** Text of lines. */
  chunks: AsyncIterable<Buffer>;
  /** Length of the progress bar. */
  total: number;
  unit: 'bytes' | 'lines';
}

/** @throws DemoError if the file cannot be read. */
export async function openInput({ file, seed, lines }: DemoArguments): Promise<Input> {
  if (file === undefined)
    return { name: 'generated lines', chunks: generate(seed, lines), total: lines, unit: 'lines' };
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    throw new DemoError(`--file ${file} cannot be read (${error.code}).`);
  });
  if (!found.isFile()) throw new DemoError(`--file ${file} is not a file.`);
  return { name: basename(file), chunks: createReadStream(file), total: found.size, unit: 'bytes' };
}

/** Lines of the last day. */
async function* generate(seed: number, count: number): AsyncGenerator<Buffer> {
  const to = new Date();
  let text = '';
  for (const line of generateLogLines(seed, count, new Date(to.getTime() - day), to)) {
    text += `${line}\n`;
    if (text.length < chunkLength) continue;
    yield Buffer.from(text);
    text = '';
  }
  yield Buffer.from(text);
}

/**
 * Sends the input in bodies of `size` lines, with a progress bar, and waits until its entries are
 * counted. `sent` is up to date if a request fails.
 */
export async function sendLines(
  client: ApiClient,
  scenarioId: string,
  size: number,
  input: Input,
  sent: Sent,
): Promise<void> {
  const bar = new SingleBar({
    format: `Sending {bar} {percentage}% | {lines} lines{note}`,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    hideCursor: true,
    clearOnComplete: false,
  });
  const onBusy = () => bar.update({ note: ' | the service is busy, waiting' });
  bar.start(input.total, 0, { lines: 0, note: '' });
  try {
    for await (const { bytes, lines } of cutBodies(input.chunks, size)) {
      const { body } = await client.post<{ accepted: number; rejected: number; skipped: number }>(
        `ingest/${scenarioId}?join=trace`,
        // With the key, a body that is sent again is counted once.
        { body: bytes, headers: { 'content-type': 'text/plain', 'idempotency-key': randomUUID() }, onBusy },
      );
      const skipped = body.rejected + body.skipped;
      sent.entries += body.accepted;
      sent.skipped += skipped;
      sent.lines += lines - skipped;
      bar.increment(input.unit === 'bytes' ? bytes.length : lines, {
        lines: sent.lines.toLocaleString('en-US'),
        note: '',
      });
    }
    await client.post('flush', { headers: { 'x-scenario-id': scenarioId }, onBusy });
  } finally {
    bar.stop();
  }
}
