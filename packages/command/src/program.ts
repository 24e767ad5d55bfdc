// The commands and their options.
import { Command, InvalidArgumentError, Option } from 'commander';
import { CommandError } from './command-error.ts';
import { commandVersion, type Estimate, estimateSchema } from './estimate.schema.ts';
import { estimateCost } from './estimate.ts';
import { type GateOptions, judge } from './gate.ts';
import { findInputs, type Input } from './inputs.ts';
import { createProgress } from './progress.ts';
import { type LogReading, readLogs } from './read-logs.ts';
import { estimateSections, patternPiiSection, piiSection, renderCsv, renderMarkdown, renderText } from './report.ts';
import { type SendOptions, sendLogs } from './send.ts';
import { readTerms, type TermOptions } from './terms.ts';

interface OutputOptions {
  json?: true;
  markdown?: true;
  csv?: true;
}

type EstimateOptions = TermOptions & OutputOptions & { threads?: number };

const write = (text: string) => process.stdout.write(text);

export function createProgram(): Command {
  const program = new Command('meterbook')
    .description('What a log costs on a cloud queue, a function service and a model inference service.')
    .version(commandVersion)
    .exitOverride()
    .showHelpAfterError('Run meterbook --help for the options.');

  withTerms(program.command('estimate'))
    .description('show what logs cost, why, and what would cost less')
    .addOption(new Option('--json', 'as JSON; meterbook schema prints its schema').conflicts(['markdown', 'csv']))
    .addOption(new Option('--markdown', 'as Markdown, for a pull request').conflicts('csv'))
    .option('--csv', 'patterns, levels, sources and models as CSV')
    .action(async (files: string[], options: EstimateOptions) => {
      const estimate = await estimateFiles(files, options);
      write(render(estimate, options));
    });

  withTerms(program.command('gate'))
    .description('fail if logs cost too much: exit code 0 within limits, 1 over, 2 on an error')
    .option('--max-monthly <usd>', 'the most that a month may cost', readNumber)
    .option('--max-increase <percent>', 'the most that it may cost more than the baseline', readNumber)
    .option('--baseline <file>', 'an earlier estimate in JSON')
    .option('--no-personal-data', 'allow no personal data')
    .action(async (files: string[], options: EstimateOptions & GateOptions) => {
      const { passes, reason } = await judge(await estimateFiles(files, options), options);
      write(`${reason}\n`);
      if (!passes) process.exitCode = 1;
    });

  withReading(program.command('scan'))
    .description('find personal data only')
    .option('--fail', 'exit code 1 if there is any')
    .option('--json', 'as JSON')
    .action(async (files: string[], options: EstimateOptions & { fail?: true }) => {
      const estimate = await estimateFiles(files, options);
      const { personal_data: found, patterns, totals } = estimate;
      const withPii = patterns.filter(({ personal_data: entries }) => entries > 0);
      const { logs, pii_logs: entries } = totals;
      if (options.json)
        write(`${JSON.stringify({ logs, entries, personal_data: found, patterns: withPii }, null, 2)}\n`);
      else
        write(
          renderText([
            { title: '', notes: [`${entries} of ${logs} entries have personal data.`] },
            piiSection(found),
            patternPiiSection(withPii),
          ]),
        );
      if (options.fail && entries > 0) process.exitCode = 1;
    });

  withLines(program.command('send'))
    .description('send logs to a service; after an interruption, the same command sends the rest')
    .requiredOption('--to <url>', 'the address of the service')
    .requiredOption('--scenario <id>', 'the id of a running scenario')
    .addHelpText('after', '\nThe variable METERBOOK_API_KEY has the API key, if the service needs one.')
    .action(async (files: string[], options: SendOptions) => {
      write(`${await withProgress(await findInputs(files), (inputs, onRead) => sendLogs(inputs, options, onRead))}\n`);
    });

  program
    .command('schema')
    .description('print the JSON Schema of estimate --json')
    .action(() => {
      write(`${JSON.stringify(estimateSchema, null, 2)}\n`);
    });

  return program;
}

function withLines(command: Command): Command {
  const join = new Option('--join <lines>', 'join the lines of stack traces').choices(['none', 'trace']);
  return command
    .argument('<file...>', 'files, names with wildcards, or - for standard input')
    .option('--zone <name>', 'zone of times that name none', 'UTC')
    .addOption(join.default('none'));
}

function withReading(command: Command): Command {
  return withLines(command)
    .option('--from <time>', 'count entries from this hour on')
    .option('--to <time>', 'count entries before this hour')
    .option('--arrival <time>', 'the time of entries without one (default: now)')
    .option('--threads <number>', 'threads (default: one a core, at most 8)', readThreads);
}

function withTerms(command: Command): Command {
  return withReading(command)
    .option('--region <code>', 'region of the prices (default: us-east-1)')
    .option('--model <name>', 'model of entries that name none')
    .option('--design <file>', 'a design in JSON that handles the entries, or a list of designs to compare')
    .option('--volume <rate>', 'entries of the month, such as 5000/s or 30M/month (default: the observed rate)')
    .option('--price-book <file>', 'other prices');
}

function readNumber(text: string): number {
  const number = Number(text.replace(/\s*%$|^\$/g, ''));
  if (text.trim() === '' || !(number >= 0)) throw new InvalidArgumentError('It must be a number.');
  return number;
}

function readThreads(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1 || number > 64) throw new InvalidArgumentError('It must be 1 to 64.');
  return number;
}

async function estimateFiles(files: readonly string[], options: EstimateOptions): Promise<Estimate> {
  const terms = await readTerms(options);
  const reading = await withProgress(await findInputs(files), (inputs, onRead) =>
    readLogs(inputs, terms.reading, { threads: options.threads, onRead }),
  );
  requireEntries(reading);
  return estimateCost(reading, terms.estimate);
}

/** @throws CommandError that says why there are none. */
function requireEntries({ inputs }: LogReading): void {
  if (inputs.some(({ entries }) => entries > 0)) return;
  const names = inputs.map(({ name }) => name).join(', ');
  const reason = inputs.flatMap(({ refused, errors }) => [...refused, ...errors.map(({ error }) => error)])[0];
  throw new CommandError(
    `${names} ${inputs.length > 1 ? 'have' : 'has'} no log entries${reason ? `: ${reason.replace(/\.$/, '')}` : ''}.`,
  );
}

async function withProgress<Result>(
  inputs: readonly Input[],
  read: (inputs: readonly Input[], onRead: (bytes: number) => void) => Promise<Result>,
): Promise<Result> {
  const progress = createProgress(inputs);
  try {
    return await read(inputs, progress.onRead);
  } finally {
    progress.stop();
  }
}

function render(estimate: Estimate, { json, markdown, csv }: OutputOptions): string {
  if (json) return `${JSON.stringify(estimate, null, 2)}\n`;
  if (csv) return renderCsv(estimate);
  const sections = estimateSections(estimate);
  return markdown ? renderMarkdown(sections) : renderText(sections);
}
