import { parseArgs } from 'node:util';
import { benchBacklog } from './backlog-bench.ts';
import { type BenchTable, renderTable } from './bench-table.ts';
import { benchDesigns } from './designs-bench.ts';
import { benchIngest } from './ingest-bench.ts';
import { benchLists } from './lists-bench.ts';
import { benchMetrics } from './metrics-bench.ts';
import { benchNotebooks } from './notebook-bench.ts';
import { benchPage } from './page-bench.ts';

interface Part {
  figures: unknown;
  tables: BenchTable[];
}

/** The benchmarks by name. Each benchmark returns its figures, and tables of these figures. */
const parts: Readonly<Record<string, (options: { minutes: number }) => Promise<Part>>> = {
  ingest: benchIngest,
  backlog: benchBacklog,
  lists: benchLists,
  metrics: benchMetrics,
  designs: benchDesigns,
  notebooks: benchNotebooks,
  page: benchPage,
};

/**
 * Runs the benchmarks of `--only`, or all. Prints tables, or with `--json` the
 * figures as one JSON object. `--minutes` is the time without workers in `backlog`.
 */
export async function runBench(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      json: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true },
      minutes: { type: 'string', default: '2' },
    },
  });
  const minutes = Number(values.minutes);
  if (!(minutes > 0)) throw new Error('--minutes must be a positive number.');
  const names = values.only ?? Object.keys(parts);
  const all: Record<string, unknown> = {};
  for (const name of names) {
    const part = parts[name];
    if (!part) throw new Error(`--only is "${name}": set it to one of ${Object.keys(parts).join(', ')}.`);
    console.error(`Measuring ${name}…`);
    const { figures, tables } = await part({ minutes });
    all[name] = figures;
    if (values.json) continue;
    for (const table of tables) console.log(`\n${renderTable(table)}`);
  }
  if (values.json) console.log(JSON.stringify(all, null, 2));
}
