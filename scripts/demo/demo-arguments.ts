import { parseArgs } from 'node:util';
import { DemoError } from './demo-error.ts';

/** An API key, and how printed lines name it: a key that was given is not shown. */
export interface DemoKey {
  value: string;
  shown: string;
}

/** What `npm run demo -- …` was asked to do. */
export interface DemoArguments {
  url: string;
  /** Sent with every request; without it the demo makes an account and a key, where it may. */
  key?: DemoKey;
  region: string;
  /** Entries in one request. */
  batch: number;
  /** A file whose lines are sent; without it, lines are made. */
  file?: string;
  /** How many lines are made. */
  lines: number;
  /** Seed of the made lines: the same seed makes the same lines. */
  seed: number;
  help: boolean;
}

export const usage = `Usage: npm run demo -- [options]

  --file <path>     send the lines of this file (default: made log lines)
  --url <url>       the running service (default: http://127.0.0.1:PORT, PORT from the environment or 3000)
  --api-key <key>   with the scopes scenarios:read, scenarios:write and ingest (default: METERBOOK_API_KEY from the
                    environment or .env, where other users of the machine do not see it; else the demo makes an account
                    and a key, and goes on without them where registration is closed)
  --region <code>   region whose prices are used (default: eu-west-1)
  --batch <n>       entries in one request, 1 to 1000 (default: 500)
  --lines <n>       how many lines to make (default: 3000)
  --seed <n>        the same seed makes the same lines (default: 1)
  --help            this text`;

/**
 * Reads the arguments of the demo.
 * @throws DemoError naming the argument at fault.
 */
export function parseDemoArguments(args: readonly string[], environment: NodeJS.ProcessEnv): DemoArguments {
  const values = parse(args);
  const { file } = values;
  const key = givenKey(values['api-key'], environment.METERBOOK_API_KEY);
  if (file !== undefined && (values.lines !== undefined || values.seed !== undefined)) {
    throw new DemoError('--lines and --seed are for made lines and do not go with --file.');
  }
  return {
    url: baseUrl(values.url ?? `http://127.0.0.1:${environment.PORT || 3000}`),
    region: values.region ?? 'eu-west-1',
    batch: wholeNumber('--batch', values.batch ?? '500', 1, 1_000),
    lines: wholeNumber('--lines', values.lines ?? '3000', 1, 100_000_000),
    seed: wholeNumber('--seed', values.seed ?? '1', 0, 2 ** 32 - 1),
    help: values.help === true,
    ...(key === undefined ? {} : { key }),
    ...(file === undefined ? {} : { file }),
  };
}

function givenKey(argument: string | undefined, variable: string | undefined): DemoKey | undefined {
  if (argument) return { value: argument, shown: '<your key>' };
  return variable ? { value: variable, shown: '$METERBOOK_API_KEY' } : undefined;
}

function parse(args: readonly string[]) {
  const text = { type: 'string' } as const;
  const options = { file: text, url: text, 'api-key': text, region: text, batch: text, lines: text, seed: text };
  try {
    return parseArgs({ args: [...args], options: { ...options, help: { type: 'boolean', short: 'h' } } }).values;
  } catch (error) {
    const [sentence] = (error as Error).message.split('. ');
    throw new DemoError(`${sentence}. See npm run demo -- --help.`);
  }
}

function wholeNumber(name: string, text: string, lowest: number, highest: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= lowest && value <= highest) return value;
  throw new DemoError(`${name} is "${text}": give a whole number from ${lowest} to ${highest}.`);
}

function baseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url.href.replace(/\/+$/, '');
  throw new DemoError(`--url is "${text}": give a URL like http://127.0.0.1:3000.`);
}
