import { parseArgs } from 'node:util';
import { parseSourceName, type SourceName, sourceForms } from '../../shared/cost/price-sources/source-name.ts';

type PricesArguments =
  | { command: 'help' }
  | { command: 'status'; json: boolean }
  | { command: 'diff' | 'check'; source: SourceName; json: boolean };

export const usage = `Usage: npm run prices -- <command>

  status [--json]                   age of each part of the price book, Regions without a source, old evidence, disputes
  diff --from <source> [--json]     what the source would change: old and new price, per cent, source, date.
                                    Exit code 2 if something would change, 1 if the source is refused.
  check --against <source> [--json] whether the source agrees with the price book, price by price

  A source is ${sourceForms}.
  No command changes anything.`;

/** An invalid argument, or one sentence for the caller. */
export class ArgumentError extends Error {}

/** Parses the arguments. @throws ArgumentError with one sentence. */
export function parsePricesArguments(args: readonly string[]): PricesArguments {
  const { values, positionals } = parse(args);
  const [command, extra] = positionals;
  if (values.help === true || command === 'help') return { command: 'help' };
  if (command === undefined) throw new ArgumentError('The command is missing: use status, diff or check.');
  if (extra !== undefined) throw new ArgumentError(`"${extra}" is one argument too many.`);
  const json = values.json === true;
  if (command === 'status') {
    rejectOption(command, values, 'from');
    rejectOption(command, values, 'against');
    return { command, json };
  }
  if (command !== 'diff' && command !== 'check') {
    throw new ArgumentError(`"${command}" is not a command: use status, diff or check.`);
  }
  const [option, other] = command === 'diff' ? (['from', 'against'] as const) : (['against', 'from'] as const);
  rejectOption(command, values, other);
  const name = values[option];
  if (name === undefined) throw new ArgumentError(`${command} needs --${option} with a source: ${sourceForms}.`);
  try {
    return { command, source: parseSourceName(name), json };
  } catch (error) {
    throw new ArgumentError((error as Error).message, { cause: error });
  }
}

type Values = ReturnType<typeof parse>['values'];

function rejectOption(command: string, values: Values, option: 'from' | 'against'): void {
  if (values[option] !== undefined) throw new ArgumentError(`${command} does not have the option --${option}.`);
}

function parse(args: readonly string[]) {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  const options = { from: text, against: text, json: flag, help: flag };
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options });
  } catch (error) {
    const [sentence = ''] = (error as Error).message.split(/\. |\n/);
    throw new ArgumentError(`${sentence.replace(/\.$/, '')}.`, { cause: error });
  }
}
