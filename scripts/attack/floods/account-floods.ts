// Floods of routes that check credentials.
import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { second } from '../../../shared/durations.ts';
import { addressOf, type Flood } from './flood.ts';
import { outcomeOf, sendFrom } from './send-from.ts';

export function accountFloods(): Flood[] {
  return [
    wrongPasswords(25),
    { ...wrongPasswords(100), loginMs: 3 * second },
    {
      name: '800 passwords of the dashboard at once',
      lanes: 800,
      send: ({ url }, lane) => {
        const password = Buffer.from(`admin:guess ${lane} ${Math.random()}`).toString('base64');
        return outcomeOf(
          sendFrom(addressOf(0), `${url}/admin/queues`, { headers: { Authorization: `Basic ${password}` } }),
        );
      },
    },
    {
      name: 'forged API keys of four networks',
      lanes: 100,
      send: ({ url }, lane) =>
        outcomeOf(sendFrom(addressOf(lane % 4), `${url}/api/v1/scenarios`, { headers: { 'X-API-Key': forgedKey() } })),
    },
  ];
}

/** Two logins at once from every network, each for another account. */
function wrongPasswords(networks: number): Flood {
  return {
    name: `${networks * 2} logins at once of ${networks} networks`,
    lanes: networks * 2,
    send: ({ url }, lane) =>
      outcomeOf(
        sendFrom(addressOf(lane % networks), `${url}/api/v1/auth/login`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({
            email: `${randomBytes(6).toString('hex')}@example.com`,
            password: 'a wrong password',
          }),
        }),
      ),
  };
}

/** A key with a valid checksum, so that the database is needed to refuse it. */
function forgedKey(): string {
  const body = `mb_${randomBytes(6).toString('hex')}_${randomBytes(24).toString('hex')}`;
  return body + crc32(body).toString(16).padStart(8, '0');
}
