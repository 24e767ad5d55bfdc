import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { createTemporaryFolder } from '../support/temporary-folder.ts';

const script = fileURLToPath(new URL('../../scripts/check-imports.mjs', import.meta.url));

describe('the check of imports between features', () => {
  const folder = createTemporaryFolder();
  /** Runs the check on files that import one another each. */
  const check = (imports: Record<string, string>) => {
    for (const floor of ['api', 'workers', 'shared']) mkdirSync(join(folder.path, floor), { recursive: true });
    for (const [path, specifier] of Object.entries(imports)) {
      mkdirSync(dirname(join(folder.path, path)), { recursive: true });
      writeFileSync(join(folder.path, path), `import { a } from '${specifier}';\n`);
    }
    const { status, stderr } = spawnSync(process.execPath, [script, folder.path], { encoding: 'utf8' });
    return { status, lines: stderr.trim().split('\n').filter(Boolean) };
  };

  it('allows imports within a feature, of the platform, of models and of what a feature exports', () => {
    const { status, lines } = check({
      'api/cost/charts.routes.ts': '../scenarios/scenarios.store.ts',
      'api/cost/metrics.routes.ts': '../http/route.ts',
      'api/cost/metrics.presenter.ts': '../../shared/cost/model-prices.ts',
      'workers/purge/log-retention.ts': '../../shared/ingest/log-batch.model.ts',
    });
    expect(lines).to.deep.equal([]);
    expect(status).to.equal(0);
  });

  it("names the file that imports another feature's own file, and what to do", () => {
    const { status, lines } = check({ 'workers/reports/report-cost.ts': '../../shared/cost/model-prices.ts' });
    expect(status).to.equal(1);
    expect(lines).to.deep.equal([
      'workers/reports/report-cost.ts imports shared/cost/model-prices.ts, which is not exported to other features: import another file, or list it in scripts/check-imports.mjs.',
    ]);
  });

  it('refuses two features that import each other', () => {
    const { status, lines } = check({
      'api/cost/a.ts': '../jobs/wait-for-job.ts',
      'api/jobs/b.ts': '../cost/metrics.responses.ts',
    });
    expect(status).to.equal(1);
    expect(lines).to.deep.equal(['api/jobs and api/cost import each other: api/jobs/b.ts and api/cost/a.ts.']);
  });
});
