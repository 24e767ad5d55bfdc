import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { createTemporaryFolder } from '../support/temporary-folder.ts';

const script = fileURLToPath(new URL('../../scripts/check-imports.mjs', import.meta.url));

describe('the check of imports between features', () => {
  const folder = createTemporaryFolder();

  it('allows models and what a feature exports, but no other file, and no two features that import each other', () => {
    const imports = {
      'api/cost/charts.routes.ts': '../scenarios/scenarios.store.ts',
      'api/cost/metrics.routes.ts': '../http/route.ts',
      'workers/purge/log-retention.ts': '../../shared/ingest/log-batch.model.ts',
      'workers/reports/report-cost.ts': '../../shared/cost/model-prices.ts',
      'api/cost/a.ts': '../jobs/wait-for-job.ts',
      'api/jobs/b.ts': '../cost/metrics.responses.ts',
      'shared/cost/money.ts': './model-prices.ts',
    };
    for (const [path, specifier] of Object.entries(imports)) {
      mkdirSync(dirname(join(folder.path, path)), { recursive: true });
      writeFileSync(join(folder.path, path), `import { a } from '${specifier}';\n`);
    }
    const { status, stderr } = spawnSync(process.execPath, [script, folder.path], { encoding: 'utf8' });
    expect(stderr.trim().split('\n')).to.deep.equal([
      'api/jobs and api/cost import each other: api/jobs/b.ts and api/cost/a.ts.',
      'workers/reports/report-cost.ts imports shared/cost/model-prices.ts, which is not exported to other features: import another file, or list it in scripts/check-imports.mjs.',
    ]);
    expect(status).to.equal(1);
  });
});
