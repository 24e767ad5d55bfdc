import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { createMetrics } from '../../shared/process/metrics.ts';

const deploy = (path: string) => fileURLToPath(new URL(`../../deploy/${path}`, import.meta.url));
const alerts = readFileSync(deploy('prometheus/alerts.yml'), 'utf8');
const alertTests = readFileSync(deploy('prometheus/alerts.test.yml'), 'utf8');

interface Dashboard {
  panels: { title: string; targets: { expr: string }[] }[];
}

/** These are read when metrics are scraped, or are Prometheus's own, so the registry lacks them. */
const otherMetrics = [
  'up',
  'queue_jobs',
  'queue_oldest_job_age_seconds',
  'notebook_breaker_open',
  'ingest_backlog_batches',
  'ingest_backlog_bytes',
  'ingest_backlog_limit_bytes',
  'process_start_time_seconds',
  'process_cpu_seconds_total',
  'process_resident_memory_bytes',
];

async function knownMetrics(): Promise<Set<string>> {
  const metrics = await createMetrics().registry.getMetricsAsJSON();
  return new Set([
    ...otherMetrics,
    ...metrics.flatMap(({ name, type }) => (String(type) === 'histogram' ? [`${name}_bucket`] : [name])),
  ]);
}

/** The selectors of an expression: the name, and the text between the braces. */
const selectorsOf = (expression: string) =>
  [...expression.matchAll(/\b([a-z][a-z_]+)\{([^}]*)\}/g)].map(([, name = '', labels = '']) => ({ name, labels }));

describe('the alert rules', () => {
  const names = [...alerts.matchAll(/^ {6}- alert: (\w+)$/gm)].map(([, name]) => name);

  it('every alert rule names what to do, and has a test', () => {
    expect(names).to.have.length.above(9);
    expect(alerts.match(/^ {10}action: /gm)).to.have.length(names.length);
    for (const name of names) expect(alertTests).to.contain(`alertname="${name}", alertstate="firing"`);
  });

  it('alert rules use metrics of the service, of its job only', async () => {
    const known = await knownMetrics();
    const selectors = selectorsOf(alerts);
    expect(selectors).to.have.length.above(names.length);
    for (const { name, labels } of selectors) {
      expect(known.has(name), name).to.equal(true);
      expect(labels).to.contain('job="meterbook"');
    }
  });

  it('alert rules pass promtool, each with its test', function () {
    if (spawnSync('promtool', ['--version']).error) this.skip();
    for (const args of [
      ['check', 'rules', deploy('prometheus/alerts.yml')],
      ['test', 'rules', deploy('prometheus/alerts.test.yml')],
    ]) {
      const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8' });
      expect(status, `${stdout}${stderr}`).to.equal(0);
    }
  });
});

describe('the dashboard of Grafana', () => {
  it('shows metrics of the service, of its job only', async () => {
    const known = await knownMetrics();
    const { panels } = JSON.parse(readFileSync(deploy('grafana/dashboard.json'), 'utf8')) as Dashboard;
    for (const { title, targets } of panels) {
      const selectors = targets.flatMap(({ expr }) => selectorsOf(expr));
      expect(selectors, title).to.have.length.of.at.least(targets.length);
      for (const { name, labels } of selectors) {
        expect(known.has(name), `${title}: ${name}`).to.equal(true);
        expect(labels, title).to.contain('job="meterbook"');
      }
    }
  });
});
