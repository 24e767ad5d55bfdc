import { styleText } from 'node:util';
import type { Secrets } from './secrets.ts';
import { type Settings, serviceUrl } from './settings.ts';

/**
 * What is printed when everything is up: where to look, and three lines that can be pasted into a shell as they are,
 * the second and third with the id that the first one keeps in $ID.
 */
export function banner(settings: Settings, secrets: Secrets, logsDirectory: string): string {
  const url = serviceUrl(settings);
  const links = [
    ['Service', url],
    ['Ready?', `${url}/health/ready`],
    ['Docs', `${url}/docs`],
    ['API', `${url}/openapi.json`],
    ['Queues', `${url}/admin/queues  (user ${secrets.DASHBOARD_USER}, password ${secrets.DASHBOARD_PASSWORD})`],
    ['Data', settings.dataDirectory],
    ['Logs', logsDirectory],
  ] as const;
  return [
    '',
    `${styleText('bold', 'Meterbook is up.')} Ctrl-C stops it.`,
    '',
    ...links.map(([name, value]) => `  ${name.padEnd(9)}${value}`),
    '',
    'Try it: create a scenario, start it, send it a log line.',
    '',
    ...tryOutLines(url).map((line) => `  ${line}`),
    '',
    `Or let it run through a few thousand lines: ${styleText('bold', demoCommand(settings.port))}`,
    '',
  ].join('\n');
}

/** Three shell lines: create a scenario, start it, send it a log line. */
export function tryOutLines(url: string): [string, string, string] {
  const json = "-H 'Content-Type: application/json'";
  return [
    `ID=$(curl -s ${url}/api/v1/scenarios ${json} -d '{"name":"Trial '$(date +%s)'","region":"eu-west-1"}' | tee /dev/stderr | sed 's/.*"id":"\\([^"]*\\)".*/\\1/'); echo`,
    `curl -s -X POST ${url}/api/v1/scenarios/$ID/start; echo`,
    `curl -s ${url}/ingest -H "X-Scenario-ID: $ID" ${json} -d '{"message":"order 1043 paid by jane.doe@example.com"}'; echo`,
  ];
}

function demoCommand(port: number): string {
  return port === 3000 ? 'npm run demo' : `PORT=${port} npm run demo`;
}
