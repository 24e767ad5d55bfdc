// The messages that the demo prints, except the tables.
import type { DemoKey } from './demo-arguments.ts';

export interface Scenario {
  id: string;
  name: string;
}

export interface Sent {
  /** Without those that were skipped. */
  lines: number;
  /** A stack trace of several lines is one entry. */
  entries: number;
  skipped: number;
}

const formatCount = (count: number) => count.toLocaleString('en-US');

export function formatSummary({ lines, entries, skipped }: Sent, seconds: number): string {
  const rate = formatCount(Math.round(lines / seconds));
  const joinedNote = entries === lines ? '' : ` as ${formatCount(entries)} entries`;
  const skippedNote = skipped === 0 ? '' : ` Skipped lines (empty, over 256 KiB or with NUL): ${formatCount(skipped)}.`;
  return `${formatCount(lines)} lines sent and counted${joinedNote} in ${seconds.toFixed(1)} s (${rate} lines per second).${skippedNote}\n`;
}

export function formatReports(paths: readonly string[] | undefined): string {
  if (paths === undefined)
    return 'No reports were saved: they need an API key with the scopes reports:read and reports:write.';
  return ['Reports', ...paths.map((path) => `  ${path}`)].join('\n');
}

/** The command `curl`, with the key if there is one. */
function curl(key: DemoKey | undefined): string {
  return key === undefined ? 'curl' : `curl -H "X-API-Key: ${key.shown}"`;
}

export function formatNextSteps(url: string, { id, name }: Scenario, key: DemoKey | undefined): string {
  return [
    '',
    `The scenario "${name}" is stopped. Its metrics remain available:`,
    `  ${curl(key)} ${url}/api/v1/scenarios/${id}/metrics`,
    '',
    `In the page:       ${url}/#/scenarios/${id}`,
    `API documentation: ${url}/docs`,
    `Queue dashboard:   ${url}/admin/queues`,
  ].join('\n');
}

export function formatInterruption(
  url: string,
  scenario: (Scenario & { isRunning: boolean }) | undefined,
  { lines }: Sent,
  key: DemoKey | undefined,
): string {
  if (scenario === undefined) return 'Interrupted before any line was sent.';
  if (!scenario.isRunning)
    return `Interrupted before all reports were saved. The scenario "${scenario.name}" is stopped.`;
  const stop = `${curl(key)} -X POST ${url}/api/v1/scenarios/${scenario.id}/stop`;
  return `Interrupted after ${formatCount(lines)} lines. The scenario "${scenario.name}" is still running; stop it with:\n  ${stop}`;
}
