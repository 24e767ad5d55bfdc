import { styleText } from 'node:util';
import type { Secrets } from './secrets.ts';
import { type Settings, serviceUrl } from './settings.ts';

/** What is printed when everything is up: where to look, and lines that can be pasted into a shell as they are. */
export function banner(settings: Settings, secrets: Secrets, logsDirectory: string, strict: boolean): string {
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
    `Try it: ${strict ? 'make an account, ' : ''}create a scenario, start it, send it a log line.`,
    '',
    ...tryOutLines(url, strict).map((line) => `  ${line}`),
    '',
    `Or let it run through a few thousand lines: ${styleText('bold', demoCommand(settings.port))}`,
    '',
  ].join('\n');
}

/**
 * Three shell lines: create a scenario, start it, send it a log line, the second and third with the id that the first one
 * keeps in $ID. Where credentials are asked for, two lines before them make an account, show its random password (on a fresh
 * stack it is the admin's), and keep its token.
 */
export function tryOutLines(url: string, strict: boolean): string[] {
  const json = "-H 'Content-Type: application/json'";
  const token = strict ? ' -H "Authorization: Bearer $TOKEN"' : '';
  return [
    ...(strict
      ? [
          `ACCOUNT=trial-$(date +%s)@example.com PASSWORD=$(od -An -N12 -tx1 /dev/urandom | tr -d ' \\n'); echo "$ACCOUNT, password $PASSWORD"`,
          `TOKEN=$(curl -s ${url}/api/v1/auth/register ${json} -d '{"email":"'$ACCOUNT'","password":"'$PASSWORD'"}' | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`,
        ]
      : []),
    `ID=$(curl -s ${url}/api/v1/scenarios${token} ${json} -d '{"name":"Trial '$(date +%s)'","region":"eu-west-1"}' | tee /dev/stderr | sed 's/.*"id":"\\([^"]*\\)".*/\\1/'); echo`,
    `curl -s -X POST ${url}/api/v1/scenarios/$ID/start${token}; echo`,
    `curl -s ${url}/ingest${token} -H "X-Scenario-ID: $ID" ${json} -d '{"message":"order 1043 paid by jane.doe@example.com"}'; echo`,
  ];
}

function demoCommand(port: number): string {
  return `${port === 3000 ? '' : `PORT=${port} `}npm run demo`;
}
