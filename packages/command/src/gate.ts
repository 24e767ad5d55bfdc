// Whether a log costs too much, for a pull request.
import { readFile } from 'node:fs/promises';
import { formatRoundUsd } from '../../../shared/amounts.ts';
import { parseJson } from '../../../shared/json/parse-json.ts';
import { CommandError } from './command-error.ts';
import { type Estimate, schemaName } from './estimate.schema.ts';

export interface GateOptions {
  maxMonthly?: number;
  /** In per cent. */
  maxIncrease?: number;
  baseline?: string;
  /** False: none is allowed. */
  personalData: boolean;
}

/**
 * @returns the reason in one line.
 * @throws CommandError if the baseline cannot be read, or there is nothing to compare.
 */
export async function judge(estimate: Estimate, options: GateOptions): Promise<{ passes: boolean; reason: string }> {
  const { maxMonthly, maxIncrease, baseline, personalData } = options;
  if (maxMonthly === undefined && maxIncrease === undefined && personalData) {
    throw new CommandError('Name a limit: --max-monthly, --max-increase with --baseline, or --no-personal-data.');
  }
  if ((maxIncrease === undefined) !== (baseline === undefined)) {
    throw new CommandError('--max-increase and --baseline need each other.');
  }
  const faults: string[] = [];
  const findings = Object.values(estimate.totals.pii).reduce((sum, count) => sum + count, 0);
  if (!personalData && findings > 0) faults.push(`${findings} findings of personal data`);
  let shown = '';
  if (maxMonthly !== undefined || baseline !== undefined) {
    const month = monthOf(estimate, 'The log');
    shown = `${formatRoundUsd(month)} a month`;
    if (maxMonthly !== undefined && Number(month) > maxMonthly) faults.push(`${shown} is more than $${maxMonthly}`);
    if (baseline !== undefined && maxIncrease !== undefined) {
      const before = monthOf(await readBaseline(baseline), baseline);
      const increase = (Number(month) / Number(before) - 1) * 100;
      shown += `, ${formatRoundUsd(before)} before`;
      if (increase > maxIncrease) {
        faults.push(`${shown}: ${increase.toFixed(1)} % more, and ${maxIncrease} % are allowed`);
      }
    }
  }
  return faults.length > 0
    ? { passes: false, reason: `Over: ${faults.join('; ')}.` }
    : { passes: true, reason: `Within limits${shown === '' ? '' : `: ${shown}`}.` };
}

/** @throws CommandError */
function monthOf({ present, totals }: Estimate, name: string): string {
  const month = present.month?.total;
  if (totals.incomplete) throw new CommandError(`${name} has usage without a price, so its month is not known.`);
  if (month === undefined || month === null)
    throw new CommandError(`${name} has no rate for a month: name it by --volume, such as 30M/month.`);
  return month;
}

async function readBaseline(path: string): Promise<Estimate> {
  const content = await readFile(path, 'utf8').catch(() => {
    throw new CommandError(`--baseline: ${path} cannot be read.`);
  });
  const estimate = parseJson(content) as Estimate | undefined;
  if (estimate?.schema === schemaName) return estimate;
  throw new CommandError(`--baseline: ${path} is not an estimate of this version: write it by estimate --json.`);
}
