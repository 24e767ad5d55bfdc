// A feature (`scenarios`, `cost`, …) imports a file of another one only if it is a model or is
// listed here. So a change of any other file concerns its own feature alone. The check is part of
// `npm test`, `npm run check` and `npm run lint`.
import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folders that belong to no feature. Every feature can import their files. */
const platform = [
  'api/http',
  'workers/jobs',
  'shared/config',
  'shared/connections',
  'shared/crypto',
  'shared/files',
  'shared/json',
  'shared/process',
  'shared/queues',
];

/** The files that a feature exports for other features. */
const exported = {
  'api/audit': ['audit-trail'],
  'api/cost': ['metrics.schema'],
  'api/jobs': ['wait-for-job'],
  'api/scenarios': [
    'assumptions.schema',
    'scenario-writes',
    'scenarios.routes', // the tag of routes below /api/v1/scenarios/{id}
    'scenarios.schema',
    'scenarios.store',
  ],
  'shared/audit': ['append-audit-records.queue', 'audit-outbox'],
  'shared/cost': [
    'called-model',
    'charts',
    'compare-designs',
    'cost-sentence',
    'entry-cost',
    'money',
    'months-on-terms',
    'own-prices',
    'paged-cost',
    'pipeline/pipeline-errors',
    'pipeline/standard-designs',
    'present-cost',
    'price-book',
    'price-book-file',
    'price-books',
    'price-line',
    'price-month',
    'read-scenario-usage',
    'scenario-cost',
    'unknown-name',
  ],
  'shared/ingest': ['backlog', 'batch-text', 'model-name', 'model-usage/read-model-usage'],
  'shared/metering': ['count-tokens', 'meter-entry', 'token-ranks'],
  'shared/notebooks': ['circuit-breaker'],
  'shared/pii': ['entry-findings', 'finding', 'national-ids', 'pii-kind', 'pii-kinds', 'redact', 'scan-personal-data'],
  'shared/reports': ['cron-times'],
  'shared/scenarios': ['assumptions', 'pipeline'],
  'shared/usage': [
    'periods',
    'queue-requests',
    'read-usage',
    'roll-up-usage.queue',
    'stored-hour',
    'usage-store',
    'usage-tally',
  ],
};

/** `api/cost` of `api/cost/charts.routes.ts`; undefined for a file of no feature. */
const folderOf = (path) => /^(?:api|workers|shared)\/[^/]+(?=\/)/.exec(path)?.[0];
const featureOf = (folder) => folder.split('/')[1];

/**
 * @param imports pairs of paths: the file that imports, and the imported file.
 * @returns a sentence for each import that is not allowed.
 */
function findViolations(imports) {
  const mutual = new Map();
  const violations = [];
  for (const [from, to] of imports) {
    const [importing, imported] = [folderOf(from), folderOf(to)];
    if (!importing || !imported || featureOf(importing) === featureOf(imported) || platform.includes(imported))
      continue;
    const name = to.slice(imported.length + 1).replace(/\.ts$/, '');
    if (!name.endsWith('.model') && !exported[imported]?.includes(name)) {
      violations.push(
        `${from} imports ${to}, which is not exported to other features: import another file, or list it in scripts/check-imports.mjs.`,
      );
    }
    if (mutual.has(`${imported} ${importing}`)) {
      violations.push(
        `${importing} and ${imported} import each other: ${from} and ${mutual.get(`${imported} ${importing}`)}.`,
      );
    }
    mutual.set(`${importing} ${imported}`, from);
  }
  return [...new Set(violations)];
}

/** The imports between files of the floors, below a folder. */
function readImports(root) {
  return ['api', 'workers', 'shared'].flatMap((floor) =>
    readdirSync(`${root}/${floor}`, { recursive: true })
      .filter((path) => path.endsWith('.ts'))
      .flatMap((path) => {
        const from = posix.join(floor, path.replaceAll('\\', '/'));
        const text = readFileSync(`${root}/${from}`, 'utf8');
        return [...text.matchAll(/(?:from|import\()\s*'(\.{1,2}\/[^']+)'/g)].map(([, specifier]) => [
          from,
          posix.join(posix.dirname(from), specifier),
        ]);
      }),
  );
}

const [, , root = fileURLToPath(new URL('..', import.meta.url))] = process.argv;
const violations = findViolations(readImports(root));
for (const violation of violations) console.error(violation);
process.exitCode = violations.length > 0 ? 1 : 0;
