import { parseArgs } from 'node:util';
import { type Service, services } from '../../shared/cost/price-line.ts';
import { parseSourceName, type SourceName, sourceForms } from '../../shared/cost/refresh/read-source.ts';

export interface SourceArguments {
  command: 'diff' | 'apply';
  source: SourceName;
  json: boolean;
  /** The services whose prices are read; absent: all. */
  only?: readonly Service[];
  acceptLargeChanges: boolean;
}

type PricesArguments = { command: 'help' } | { command: 'status'; json: boolean } | SourceArguments;

export const usage = `Usage: npm run prices -- <command>

  status [--json]                   age of each part of the price book, Regions without a source, old evidence
  diff --from <source> [--only queue|function|inference] [--json]
                                    what the source would change: old and new price, per cent, source, date.
                                    Exit code 2 if something would change, 1 if the source is refused.
  apply --from <source> [--only queue|function|inference] [--accept-large-changes] [--json]
                                    stores the prices of the source as a new version.
                                    Exit code 1 if the source is refused.

  --only reads the prices of one service, whatever the source has of others. --accept-large-changes also takes prices
  that are more than ten times off.
  A source is ${sourceForms}.
  The database is that of MONGODB_URL, or of the local stack. apply needs it. The other commands change nothing; they
  compare with the newest version of the database, or with the price book of the code if no database runs.`;

/** An invalid argument, or one sentence for the caller. */
export class ArgumentError extends Error {}

/** The options that a command has beside `--json`. */
const optionsOf = {
  status: [],
  diff: ['from', 'only'],
  apply: ['from', 'only', 'accept-large-changes'],
} as const satisfies Record<string, readonly Option[]>;
type Option = 'from' | 'only' | 'accept-large-changes';

/** Parses the arguments. @throws ArgumentError with one sentence. */
export function parsePricesArguments(args: readonly string[]): PricesArguments {
  const { values, positionals } = parse(args);
  const [command, extra] = positionals;
  const { from, only } = values;
  if (values.help === true || command === 'help') return { command: 'help' };
  if (command === undefined) throw new ArgumentError('The command is missing: use status, diff or apply.');
  if (extra !== undefined) throw new ArgumentError(`"${extra}" is one argument too many.`);
  if (command !== 'status' && command !== 'diff' && command !== 'apply') {
    throw new ArgumentError(`"${command}" is not a command: use status, diff or apply.`);
  }
  const known: readonly Option[] = optionsOf[command];
  const other = optionsOf.apply.find((option) => values[option] !== undefined && !known.includes(option));
  if (other) throw new ArgumentError(`${command} does not have the option --${other}.`);
  const json = values.json === true;
  if (command === 'status') return { command, json };
  if (from === undefined) throw new ArgumentError(`${command} needs --from with a source: ${sourceForms}.`);
  const chosen = services.filter((name) => name === only);
  if (only !== undefined && chosen.length === 0) {
    throw new ArgumentError(`--only must be one of ${services.join(', ')}, not "${only}".`);
  }
  const acceptLargeChanges = values['accept-large-changes'] === true;
  return { command, source: parseSource(from), json, acceptLargeChanges, ...(only !== undefined && { only: chosen }) };
}

function parseSource(from: string): SourceName {
  try {
    return parseSourceName(from);
  } catch (error) {
    throw new ArgumentError((error as Error).message, { cause: error });
  }
}

function parse(args: readonly string[]) {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  const options = {
    from: text,
    only: text,
    'accept-large-changes': flag,
    json: flag,
    help: flag,
  };
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options });
  } catch (error) {
    const [sentence = ''] = (error as Error).message.split(/\. |\n/);
    throw new ArgumentError(`${sentence.replace(/\.$/, '')}.`, { cause: error });
  }
}
