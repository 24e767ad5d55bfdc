import { parseArgs } from 'node:util';
import { prepare } from '../ensure-installed.mjs';
import { type BenchTable, renderTable } from './bench-table.ts';
import { benchIngest } from './ingest-bench.ts';
import { benchMetrics } from './metrics-bench.ts';
import { benchReports } from './report-bench.ts';

/** The benchmarks by name. */
const parts: Readonly<Record<string, () => Promise<BenchTable[]>>> = {
  ingest: benchIngest,
  metrics: benchMetrics,
  reports: benchReports,
};

/** Runs the benchmarks of `--only`, or all, and prints their tables. */
async function runBench(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { only: { type: 'string', multiple: true } } });
  for (const name of values.only ?? Object.keys(parts)) {
    const part = parts[name];
    if (!part) throw new Error(`--only is "${name}": set it to one of ${Object.keys(parts).join(', ')}.`);
    console.error(`Measuring ${name}…`);
    for (const table of await part()) console.log(`\n${renderTable(table)}`);
  }
}

prepare({ needsRedis: true });
await runBench(process.argv.slice(2));
