import { parseArgs } from 'node:util';
import { type Service, services } from '../../shared/cost/price-line.ts';
import { parseSourceName, type SourceName, sourceForms } from '../../shared/cost/refresh/read-source.ts';
import { StartError } from '../../shared/errors.ts';

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

const flag = { type: 'boolean' } as const;
const ofSource = { json: flag, from: { type: 'string' }, only: { type: 'string' } } as const;
const optionsOf = {
  status: { json: flag },
  diff: ofSource,
  apply: { ...ofSource, 'accept-large-changes': flag },
} as const;

interface Options {
  json?: boolean;
  from?: string;
  only?: string;
  'accept-large-changes'?: boolean;
}

/** Parses the arguments. @throws StartError with one sentence. */
export function parsePricesArguments([command, ...args]: readonly string[]): PricesArguments {
  if (command === 'help' || command === '--help') return { command: 'help' };
  if (command === undefined) throw new StartError('The command is missing: use status, diff or apply.');
  if (command !== 'status' && command !== 'diff' && command !== 'apply') {
    throw new StartError(`"${command}" is not a command: use status, diff or apply.`);
  }
  const { json = false, from, only, 'accept-large-changes': acceptLargeChanges = false } = parse(command, args);
  if (command === 'status') return { command, json };
  if (from === undefined) throw new StartError(`${command} needs --from with a source: ${sourceForms}.`);
  const chosen = services.filter((name) => name === only);
  if (only !== undefined && chosen.length === 0) {
    throw new StartError(`--only must be one of ${services.join(', ')}, not "${only}".`);
  }
  const source = parseSourceName(from);
  return { command, source, json, acceptLargeChanges, ...(only !== undefined && { only: chosen }) };
}

function parse(command: keyof typeof optionsOf, args: string[]): Options {
  try {
    return parseArgs({ args, options: optionsOf[command] }).values as Options;
  } catch (error) {
    const [sentence = ''] = (error as Error).message.split(/\. |\n/);
    throw new StartError(`${command}: ${sentence.replace(/\.$/, '')}.`, { cause: error });
  }
}
