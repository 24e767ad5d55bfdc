import type { DemoAccount } from './demo-account.ts';
import type { DemoKey } from './demo-arguments.ts';

/** The messages that the demo prints besides tables. */

export interface Scenario {
  id: string;
  name: string;
}

export interface Sent {
  lines: number;
  /** A stack trace of several lines is one entry. */
  entries: number;
  skipped: number;
}

export function formatSummary({ lines, entries, skipped }: Sent, seconds: number): string {
  const rate = Math.round(lines / seconds).toLocaleString('en-US');
  const skippedText =
    skipped === 0 ? '' : ` Skipped lines (empty, over 256 KiB or with NUL): ${skipped.toLocaleString('en-US')}.`;
  const joined = entries === lines ? '' : ` as ${entries.toLocaleString('en-US')} entries`;
  return `${lines.toLocaleString('en-US')} lines sent and counted${joined} in ${seconds.toFixed(1)} s (${rate} lines per second).${skippedText}\n`;
}

export function formatAccount(account: DemoAccount | undefined): string {
  if (account === undefined) return 'Registration is closed: the demo continues without an account.\n';
  const { email, password, role } = account;
  const admin = 'It is the first account and therefore the admin. Keep the password: all later accounts are members.\n';
  return `Registered an account for the demo: ${email}, password ${password}\n${role === 'admin' ? admin : ''}`;
}

export function formatReports(paths: readonly string[] | undefined): string {
  if (paths === undefined) return 'Reports need an API key with the scopes reports:read and reports:write.';
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
  scenario: Scenario | undefined,
  { lines }: Sent,
  key: DemoKey | undefined,
): string {
  if (scenario === undefined) return 'Interrupted before anything was sent.';
  const stop = `${curl(key)} -X POST ${url}/api/v1/scenarios/${scenario.id}/stop`;
  return `Interrupted after ${lines.toLocaleString('en-US')} lines. The scenario "${scenario.name}" is still running; stop it with:\n  ${stop}`;
}
