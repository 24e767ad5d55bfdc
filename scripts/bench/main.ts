import { parseArgs } from 'node:util';
import { prepare } from '../ensure-installed.mjs';
import { type BenchTable, renderTable } from './bench-table.ts';
import { benchIngest } from './ingest-bench.ts';
import { benchMetrics } from './metrics-bench.ts';
import { benchReports } from './report-bench.ts';

interface Part {
  figures: unknown;
  tables: BenchTable[];
}

/** The benchmarks by name. Each benchmark returns its figures, and tables of these figures. */
const parts: Readonly<Record<string, () => Promise<Part>>> = {
  ingest: benchIngest,
  metrics: benchMetrics,
  reports: benchReports,
};

/**
 * Runs the benchmarks of `--only`, or all. Prints tables, or with `--json` the figures as one JSON
 * object.
 */
async function runBench(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      json: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true },
    },
  });
  const names = values.only ?? Object.keys(parts);
  const all: Record<string, unknown> = {};
  for (const name of names) {
    const part = parts[name];
    if (!part) throw new Error(`--only is "${name}": set it to one of ${Object.keys(parts).join(', ')}.`);
    console.error(`Measuring ${name}…`);
    const { figures, tables } = await part();
    all[name] = figures;
    if (values.json) continue;
    for (const table of tables) console.log(`\n${renderTable(table)}`);
  }
  if (values.json) console.log(JSON.stringify(all, null, 2));
}

prepare({ needsRedis: true });
await runBench(process.argv.slice(2));
