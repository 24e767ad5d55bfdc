import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { dataDirectory } from '../ensure-installed.mjs';
import { DemoError } from './api-client.ts';

/** An API key, and the text to print for it. A key from the user is not printed. */
export interface DemoKey {
  value: string;
  shown: string;
}

/** The parsed arguments of `npm run demo -- …`. */
export interface DemoArguments {
  url: string;
  /** The key of every request. By default, the demo registers an account and creates a key. */
  key?: DemoKey;
  region: string;
  /** Number of lines per request. */
  batch: number;
  /** A file whose lines are sent. By default, lines are generated. */
  file?: string;
  /** Number of generated lines. */
  lines: number;
  /** The same seed generates the same lines. */
  seed: number;
  /** The folder for the reports. */
  out: string;
  help: boolean;
}

export const usage = `Usage: npm run demo -- [options]

  --file <path>     send the lines of a file (default: generated log lines)
  --url <url>       address of the service (default: http://127.0.0.1:PORT, PORT from the environment or 3000)
  --api-key <key>   API key with the scopes scenarios:read, scenarios:write, ingest, reports:read and reports:write
                    (default: METERBOOK_API_KEY from the environment or .env, which other users of the machine cannot
                    see). Without a key, the demo registers an account and creates one, or continues without it if
                    registration is closed.
  --region <code>   region whose prices apply (default: eu-west-1)
  --batch <n>       lines per request, 1 to 1000 (default: 500)
  --lines <n>       number of generated lines (default: 3000)
  --seed <n>        seed of the generated lines (default: 1)
  --out <folder>    folder for the reports (default: .data/demo, or demo in DATA_DIR)
  --help            print this text`;

/**
 * Parses the arguments of the demo.
 * @throws DemoError that names the invalid argument.
 */
export function parseDemoArguments(args: readonly string[], environment: NodeJS.ProcessEnv): DemoArguments {
  const values = parseOptions(args);
  const { file } = values;
  const key = chooseKey(values['api-key'], environment.METERBOOK_API_KEY);
  if (file !== undefined && (values.lines !== undefined || values.seed !== undefined)) {
    throw new DemoError('--lines and --seed apply to generated lines: do not combine them with --file.');
  }
  return {
    url: parseUrl(values.url ?? `http://127.0.0.1:${environment.PORT || 3000}`),
    region: values.region ?? 'eu-west-1',
    batch: parseWholeNumber('--batch', values.batch ?? '500', 1, 1_000),
    lines: parseWholeNumber('--lines', values.lines ?? '3000', 1, 100_000_000),
    seed: parseWholeNumber('--seed', values.seed ?? '1', 0, 2 ** 32 - 1),
    out: values.out === undefined ? join(dataDirectory(environment), 'demo') : resolve(values.out),
    help: values.help === true,
    ...(key === undefined ? {} : { key }),
    ...(file === undefined ? {} : { file }),
  };
}

function chooseKey(argument: string | undefined, variable: string | undefined): DemoKey | undefined {
  if (argument) return { value: argument, shown: '<your key>' };
  return variable ? { value: variable, shown: '$METERBOOK_API_KEY' } : undefined;
}

function parseOptions(args: readonly string[]) {
  const text = { type: 'string' } as const;
  const options = {
    file: text,
    url: text,
    'api-key': text,
    region: text,
    batch: text,
    lines: text,
    seed: text,
    out: text,
  };
  try {
    return parseArgs({ args: [...args], options: { ...options, help: { type: 'boolean', short: 'h' } } }).values;
  } catch (error) {
    const [sentence] = (error as Error).message.split('. ');
    throw new DemoError(`${sentence}. See npm run demo -- --help.`);
  }
}

function parseWholeNumber(name: string, text: string, min: number, max: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= min && value <= max) return value;
  throw new DemoError(`${name} is "${text}": set it to a whole number from ${min} to ${max}.`);
}

function parseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url.href.replace(/\/+$/, '');
  throw new DemoError(`--url is "${text}": set it to a URL like http://127.0.0.1:3000.`);
}
