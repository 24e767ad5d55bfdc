import { styleText } from 'node:util';
import { adminEmail } from './local-admin.ts';
import type { Secrets } from './secrets.ts';
import { type Settings, serviceUrl } from './settings.ts';

interface Banner {
  settings: Settings;
  secrets: Secrets;
  logsDirectory: string;
  /** Whether the admin has the password of the secrets. */
  hasAdmin: boolean;
  strict: boolean;
}

/**
 * Renders the text that is printed when the stack is running: the addresses, and shell commands to
 * try it.
 */
export function renderBanner({ settings, secrets, logsDirectory, hasAdmin, strict }: Banner): string {
  const url = serviceUrl(settings);
  const demo = url === 'http://127.0.0.1:3000' ? 'npm run demo' : `npm run demo -- --url ${url}`;
  const links = [
    ['Health', `${url}/health/ready?for=all`],
    ['Docs', `${url}/docs`],
    ['OpenAPI', `${url}/openapi.json`],
    ['Queues', `${url}/admin/queues  (user admin, password ${secrets.DASHBOARD_PASSWORD})`],
    ...(hasAdmin ? [['Admin', `${adminEmail}, password ${secrets.LOCAL_ADMIN_PASSWORD}`] as const] : []),
    ['Data', settings.dataDirectory],
    ['Logs', logsDirectory],
  ] as const;
  return [
    '',
    styleText('bold', `Meterbook is running: ${url}`),
    'Open this address in a browser. Press Ctrl-C here to stop it.',
    '',
    ...links.map(([name, value]) => `  ${name.padEnd(9)}${value}`),
    '',
    `To try it, ${strict ? 'register an account, ' : ''}create a scenario, start it and send it a log line:`,
    '',
    ...tryOutLines(url, strict).map((line) => `  ${line}`),
    '',
    `To send generated log lines, run in a second shell: ${styleText('bold', demo)}`,
    '',
  ].join('\n');
}

/**
 * Three shell commands that create a scenario, start it and send it a log line. If credentials are
 * required, two before them register an account and print its random password.
 */
export function tryOutLines(url: string, strict: boolean): string[] {
  const json = "-H 'Content-Type: application/json'";
  const token = strict ? ' -H "Authorization: Bearer $TOKEN"' : '';
  return [
    ...(strict
      ? [
          `ACCOUNT=trial-$(date +%s)@example.com PASSWORD=$(od -An -N12 -tx1 /dev/urandom | tr -d ' \\n'); echo "$ACCOUNT, password $PASSWORD"`,
          `TOKEN=$(curl -s ${url}/api/v1/auth/register ${json} -d '{"email":"'$ACCOUNT'","password":"'$PASSWORD'"}' | sed -n 's/.*"access_token":"\\([^"]*\\)".*/\\1/p')`,
        ]
      : []),
    `ID=$(curl -s ${url}/api/v1/scenarios${token} ${json} -d '{"name":"Trial '$(date +%s)'","region":"eu-west-1"}' | tee /dev/stderr | sed -n 's/.*"id":"\\([^"]*\\)".*/\\1/p'); echo`,
    `curl -s -X POST ${url}/api/v1/scenarios/$ID/start${token}; echo`,
    `curl -s ${url}/ingest${token} -H "X-Scenario-ID: $ID" ${json} -d '{"message":"order 1043 paid by jane.doe@example.com"}'; echo`,
  ];
}
