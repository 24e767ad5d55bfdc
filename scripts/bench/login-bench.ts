import { withBenchStack } from './bench-stack.ts';
import type { BenchTable } from './bench-table.ts';
import { median } from './load.ts';

const rounds = 30;
/** Maximum difference of the medians of the two refusals, as a share of the greater one. */
const goal = 0.1;

interface LoginFigures {
  /** Medians of `rounds` responses, in milliseconds. */
  medianMs: { unknownAddress: number; wrongPassword: number; rightPassword: number };
  /** Difference of the medians of the two refusals, as a share of the greater one. */
  difference: number;
  goal: number;
  met: boolean;
}

/** Measures whether the time of a refused login reveals whether the account exists. */
export async function benchLogin(): Promise<{ figures: LoginFigures; tables: BenchTable[] }> {
  const figures = await withBenchStack({}, async ({ url }) => measure(`${url}/api/v1/auth`));
  const { medianMs, difference, met } = figures;
  return {
    figures,
    tables: [
      {
        title: `Login, medians of ${rounds}, milliseconds`,
        head: [
          'unknown address',
          'wrong password',
          'right password',
          'difference of the refusals',
          'goal: at most 10 %',
        ],
        rows: [
          [
            medianMs.unknownAddress,
            medianMs.wrongPassword,
            medianMs.rightPassword,
            `${(difference * 100).toFixed(1)} %`,
            met ? 'met' : 'missed',
          ],
        ],
      },
    ],
  };
}

async function measure(auth: string): Promise<LoginFigures> {
  const account = { email: 'known@example.com', password: 'the right password' };
  const kinds = {
    unknownAddress: { body: { ...account, email: 'unknown@example.com' }, status: 401 },
    wrongPassword: { body: { ...account, password: 'the wrong password' }, status: 401 },
    rightPassword: { body: account, status: 200 },
  };
  type Kind = keyof typeof kinds;
  await timedPost(`${auth}/register`, account, 201);
  const times: Record<Kind, number[]> = { unknownAddress: [], wrongPassword: [], rightPassword: [] };
  // The first round warms up.
  for (let round = 0; round <= rounds; round += 1) {
    for (const kind of Object.keys(kinds) as Kind[]) {
      const taken = await timedPost(`${auth}/login`, kinds[kind].body, kinds[kind].status);
      if (round > 0) times[kind].push(taken);
    }
  }
  const [unknown, wrong] = [median(times.unknownAddress), median(times.wrongPassword)];
  const difference = Math.abs(unknown - wrong) / Math.max(unknown, wrong);
  return {
    medianMs: { unknownAddress: unknown, wrongPassword: wrong, rightPassword: median(times.rightPassword) },
    difference,
    goal,
    met: difference <= goal,
  };
}

/** @returns milliseconds. */
async function timedPost(url: string, body: object, expected: number): Promise<number> {
  const started = performance.now();
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  await response.arrayBuffer();
  if (response.status !== expected) throw new Error(`${url} responded with ${response.status}, not ${expected}`);
  return performance.now() - started;
}
