import { parseArgs } from 'node:util';
import { benchBacklog } from './backlog-bench.ts';
import { type BenchTable, renderTable } from './bench-table.ts';
import { benchDesigns } from './designs-bench.ts';
import { benchIngest } from './ingest-bench.ts';
import { benchLists } from './lists-bench.ts';
import { benchMetrics } from './metrics-bench.ts';
import { benchNotebooks } from './notebook-bench.ts';
import { benchPersonalData } from './pii-bench.ts';
import { personalDataDifferences, personalDataTables } from './pii-tables.ts';
import { benchSingleEntries } from './single-entry-bench.ts';

interface Part {
  figures: unknown;
  tables: BenchTable[];
  /** Lines to print after the tables. */
  details?: string[];
}

/** The benchmarks by name. Each benchmark returns its figures, and tables of these figures. */
const parts: Readonly<Record<string, () => Promise<Part>>> = {
  ingest: benchIngest,
  'single-entries': benchSingleEntries,
  backlog: benchBacklog,
  lists: benchLists,
  metrics: benchMetrics,
  designs: benchDesigns,
  notebooks: benchNotebooks,
  'personal-data': async () => {
    const figures = await benchPersonalData();
    return { figures, tables: personalDataTables(figures), details: personalDataDifferences(figures) };
  },
};

/**
 * Runs all benchmarks or those of `--only`. Prints tables, or with `--json` the figures as one JSON
 * object.
 */
export async function runBench(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { json: { type: 'boolean', default: false }, only: { type: 'string', multiple: true } },
  });
  const names = values.only ?? Object.keys(parts);
  const all: Record<string, unknown> = {};
  for (const name of names) {
    const part = parts[name];
    if (!part) throw new Error(`--only is "${name}": set it to one of ${Object.keys(parts).join(', ')}.`);
    console.error(`Measuring ${name}…`);
    const { figures, tables, details = [] } = await part();
    all[name] = figures;
    if (values.json) continue;
    for (const table of tables) console.log(`\n${renderTable(table)}`);
    for (const detail of details) console.log(`\n${detail}`);
  }
  if (values.json) console.log(JSON.stringify(all, null, 2));
}
