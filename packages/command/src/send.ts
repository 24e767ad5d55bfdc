// Sends logs to a service, in bodies with keys: the service counts a body once, so that a command
// that is repeated sends what is missing.
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { formatNumber } from '../../../shared/amounts.ts';
import { parseJson } from '../../../shared/json/parse-json.ts';
import { shortened } from '../../../shared/quoted.ts';
import { CommandError } from './command-error.ts';
import { codeOf, type Input } from './inputs.ts';
import { cutPieces } from './pieces.ts';

export interface SendOptions {
  to: string;
  scenario: string;
  zone: string;
  join: 'none' | 'trace';
}

interface Summary {
  accepted: number;
  rejected: number;
  skipped: number;
}

const contentTypes = { text: 'text/plain', values: 'application/json', lines: 'application/x-ndjson' } as const;
const maxAttempts = 8;
const firstWaitMs = 500;
const maxWaitMs = 30_000;
const requestTimeoutMs = 120_000;

/**
 * @returns a sentence about what was sent.
 * @throws CommandError if the service refuses a body, or is not reachable.
 */
export async function sendLogs(
  inputs: readonly Input[],
  options: SendOptions,
  onRead: (bytes: number) => void,
): Promise<string> {
  const url = addressOf(options);
  const sums: Summary = { accepted: 0, rejected: 0, skipped: 0 };
  let [bodies, repeated] = [0, 0];
  /** The digest of all bodies before, so that equal bodies of a log have keys of their own. */
  const content = createHash('sha256').update(options.scenario);
  for (const input of inputs) {
    for await (const { bytes, form } of cutPieces(input.open(onRead))) {
      if (form === 'protobuf') {
        const address = `${url.origin}/ingest/${options.scenario}/v1/logs`;
        throw new CommandError(`${input.name} is OTLP in protobuf: post its requests to ${address}.`);
      }
      // The first 4 KiB decide, so that a body that has grown keeps its key and is refused.
      const key = content.copy().update(bytes.subarray(0, 4_096)).digest('hex');
      content.update(bytes);
      const { summary, isRepeat } = await sendPiece(url, key, bytes, contentTypes[form]);
      for (const name of ['accepted', 'rejected', 'skipped'] as const) sums[name] += summary[name];
      bodies += 1;
      if (isRepeat) repeated += 1;
    }
  }
  if (bodies === 0) throw new CommandError('There is nothing to send.');
  const notes = [
    [sums.rejected, 'rejected'],
    [sums.skipped, 'without a message'],
    [repeated, `of ${bodies} requests had arrived before`],
  ] as const;
  const shown = notes.filter(([count]) => count > 0).map(([count, what]) => `, ${formatNumber(count)} ${what}`);
  return `${formatNumber(sums.accepted)} entries are accepted${shown.join('')}.`;
}

function addressOf({ to, scenario, zone, join }: SendOptions): URL {
  if (!/^https?:/.test(to) || !URL.canParse(to))
    throw new CommandError(`--to ${to} is not an address such as http://localhost:3000.`);
  const url = new URL(`${to.replace(/\/+$/, '')}/ingest/${encodeURIComponent(scenario)}`);
  url.search = new URLSearchParams({ zone, join }).toString();
  return url;
}

async function sendPiece(
  url: URL,
  key: string,
  bytes: Buffer,
  contentType: string,
): Promise<{ summary: Summary; isRepeat: boolean }> {
  const body = await promisify(gzip)(bytes, { level: 1 });
  const apiKey = process.env['METERBOOK_API_KEY'];
  const headers = {
    'Content-Type': contentType,
    'Content-Encoding': 'gzip',
    'Idempotency-Key': key,
    ...(apiKey === undefined ? {} : { 'X-API-Key': apiKey }),
  };
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body,
      signal: AbortSignal.timeout(requestTimeoutMs),
    }).catch((error: unknown) => error);
    if (response instanceof Response && response.ok) {
      const isRepeat = response.headers.get('Idempotent-Replayed') === 'true';
      return { summary: (await response.json()) as Summary, isRepeat };
    }
    const reason = response instanceof Response ? await reasonOf(response) : `is not reachable (${causeOf(response)})`;
    const isFinal = response instanceof Response && response.status < 500 && response.status !== 429;
    if (isFinal || attempt === maxAttempts) {
      const again = isFinal ? '' : ' Run the command again to send the rest: nothing is counted twice.';
      throw new CommandError(`${url.origin} ${reason}.${again}`);
    }
    await sleep(waitOf(response, attempt));
  }
}

async function reasonOf(response: Response): Promise<string> {
  if (response.status === 422) return 'has another text of this log: send the lines that are new as a log of their own';
  const body = parseJson(await response.text()) as { error?: { message?: string } } | undefined;
  const message = shortened(body?.error?.message ?? response.statusText, 300).replace(/\.$/, '');
  return `responds with ${response.status}: ${message}`;
}

const causeOf = (error: unknown) =>
  error instanceof Error ? codeOf(error.cause) || codeOf(error) || error.name : String(error);

/** As long as the service says, otherwise twice as long each time. */
function waitOf(response: unknown, attempt: number): number {
  const seconds = response instanceof Response ? Number(response.headers.get('Retry-After')) : 0;
  const wait = seconds > 0 ? seconds * 1_000 : firstWaitMs * 2 ** (attempt - 1) * (0.5 + Math.random());
  return Math.min(maxWaitMs, wait);
}
