import { parseArgs } from 'node:util';
import { type Service, services } from '../../shared/cost/price-line.ts';
import { parseSourceName, type SourceName, sourceForms } from '../../shared/cost/price-sources/read-source.ts';

type PricesArguments = { command: 'help' } | { command: 'status'; json: boolean } | DiffArguments | ApplyArguments;

export interface DiffArguments {
  command: 'diff';
  source: SourceName;
  json: boolean;
  /** The services whose prices are read; absent: all. */
  only?: readonly Service[];
}

export interface ApplyArguments extends Omit<DiffArguments, 'command'> {
  command: 'apply';
  acceptLargeChanges: boolean;
}

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

/** Parses the arguments. @throws ArgumentError with one sentence. */
export function parsePricesArguments(args: readonly string[]): PricesArguments {
  const { values, positionals } = parse(args);
  const [command, extra] = positionals;
  if (values.help === true || command === 'help') return { command: 'help' };
  if (command === undefined) throw new ArgumentError('The command is missing: use status, diff or apply.');
  if (extra !== undefined) throw new ArgumentError(`"${extra}" is one argument too many.`);
  const json = values.json === true;
  if (command !== 'apply') rejectOption(command, values, 'accept-large-changes');
  if (command === 'status') {
    rejectOption(command, values, 'from');
    rejectOption(command, values, 'only');
    return { command, json };
  }
  if (command !== 'diff' && command !== 'apply') {
    throw new ArgumentError(`"${command}" is not a command: use status, diff or apply.`);
  }
  const { from } = values;
  if (from === undefined) throw new ArgumentError(`${command} needs --from with a source: ${sourceForms}.`);
  try {
    const options = { source: parseSourceName(from), json, ...readOnly(values) };
    if (command !== 'apply') return { command, ...options };
    return { command, ...options, acceptLargeChanges: values['accept-large-changes'] === true };
  } catch (error) {
    throw new ArgumentError((error as Error).message, { cause: error });
  }
}

function readOnly({ only }: Values): { only?: readonly Service[] } {
  if (only === undefined) return {};
  const chosen = services.filter((name) => name === only);
  if (chosen.length > 0) return { only: chosen };
  throw new ArgumentError(`--only must be one of ${services.join(', ')}, not "${only}".`);
}

type Values = ReturnType<typeof parse>['values'];

type Option = 'from' | 'only' | 'accept-large-changes';

function rejectOption(command: string, values: Values, option: Option): void {
  if (values[option] !== undefined) throw new ArgumentError(`${command} does not have the option --${option}.`);
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
