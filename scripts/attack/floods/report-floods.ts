// Floods of orders that are limited per account.
import { addressOf, type Flood, type FloodTarget } from './flood.ts';
import { outcomeOf, sendFrom } from './send-from.ts';

export function reportFloods(): Flood[] {
  return [
    {
      name: '1,000 PDF reports at once of one account',
      lanes: 1000,
      delaysReports: true,
      send: (target) => order(target, `/api/v1/scenarios/${target.attacker.scenarioId}/reports`, { format: 'pdf' }),
    },
    {
      name: '300 report schedules at once of one account',
      lanes: 300,
      send: (target) =>
        order(target, '/api/v1/report-schedules', {
          scenario_id: target.attacker.scenarioId,
          format: 'csv',
          cron: '0 0 1 1 *',
          timezone: 'UTC',
        }),
    },
  ];
}

const order = ({ url, attacker }: FloodTarget, path: string, body: object) =>
  outcomeOf(
    sendFrom(addressOf(0), url + path, {
      method: 'POST',
      headers: { Authorization: `Bearer ${attacker.token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    }),
  );
