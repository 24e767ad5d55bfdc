import { day } from './durations.ts';
import { seededRandom } from './seeded-random.ts';

/** Random choices of a seeded generator. */
interface RandomSource {
  below: (limit: number) => number;
  pick: <T>(items: readonly T[]) => T;
  hex: (digits: number) => string;
}

type LineGenerator = (random: RandomSource, at: string) => string;

const users = ['anna', 'bilal', 'chen', 'dora', 'emeka', 'fatima', 'george', 'hana', 'ivan', 'jane'] as const;
const domains = ['example.com', 'example.org', 'mail.example.net'] as const;
const paths = ['/', '/login', '/api/orders', '/api/orders/42', '/cart', '/search?q=lamp', '/static/app.js'] as const;
const agents = ['Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101', 'curl/8.5.0', 'kube-probe/1.31'] as const;
const services = ['checkout', 'catalog', 'billing', 'search'] as const;
const levels = ['info', 'info', 'info', 'debug', 'warn'] as const;
/** Card numbers that payment providers publish for tests. */
const cards = ['4111 1111 1111 1111', '5555555555554444', '3782-822463-10005'] as const;
/** Social security numbers that were printed in advertisements, and belong to nobody. */
const voidSsns = ['078-05-1120', '219-09-9999'] as const;
const errors = [
  'TypeError: order is undefined',
  'TimeoutError: upstream took 30000 ms',
  'Error: lock is held',
] as const;

const accessLog: LineGenerator = (random, at) =>
  `${at} ${address(random)} - - "${random.pick(['GET', 'GET', 'GET', 'POST'])} ${random.pick(paths)} HTTP/1.1" ` +
  `${random.pick([200, 200, 200, 200, 304, 404, 500])} ${random.below(50_000)} "-" "${random.pick(agents)}" rt=0.${random.below(900) + 100}`;

const applicationLog: LineGenerator = (random, at) =>
  `${at} ${JSON.stringify({
    level: random.pick(levels),
    service: random.pick(services),
    msg: random.pick(['order placed', 'cache miss', 'payment authorised', 'stock reserved', 'session renewed']),
    trace_id: random.hex(32),
    order_id: 1_000_000 + random.below(9_000_000),
    duration_ms: random.below(800),
  })}`;

const sshLog: LineGenerator = (random, at) =>
  `${at} bastion sshd[${1_000 + random.below(60_000)}]: ${random.pick([
    `Failed password for invalid user ${random.pick(users)} from ${address(random)} port ${1_024 + random.below(60_000)} ssh2`,
    `Accepted publickey for ${random.pick(users)} from ${address(random)} port ${1_024 + random.below(60_000)} ssh2`,
    `Connection closed by ${address(random)} port ${1_024 + random.below(60_000)} [preauth]`,
  ])}`;

const clusterLog: LineGenerator = (random, at) =>
  `${at} stderr F I1121 reconciler.go:${100 + random.below(400)}] "Pod ${random.pick(['started', 'deleted', 'probed'])}" ` +
  `pod="shop/${random.pick(services)}-${random.hex(9)}-${random.hex(5)}" containerID="containerd://${random.hex(64)}"`;

const errorLog: LineGenerator = (random, at) => {
  const error = random.pick(errors);
  const frames = Array.from(
    { length: 4 + random.below(8) },
    () =>
      `    at ${random.pick(['run', 'next', 'handle', 'Object.load'])} (/app/dist/${random.pick(services)}.js:${1 + random.below(900)}:${1 + random.below(80)})`,
  );
  return `${at} ${JSON.stringify({ level: 'error', service: random.pick(services), msg: error, stack: [error, ...frames].join('\n') })}`;
};

const personalLog: LineGenerator = (random, at) => {
  const mail = `${random.pick(users)}.${random.hex(4)}@${random.pick(domains)}`;
  return `${at} ${random.pick([
    `billing receipt sent to ${mail}`,
    `billing card ${random.pick(cards)} declined for ${mail}`,
    `support SSN ${random.pick(voidSsns)} verified for customer ${random.below(90_000)}`,
  ])}`;
};

/** Kinds of lines with their share in percent. */
const lineShares: readonly (readonly [number, LineGenerator])[] = [
  [45, accessLog],
  [25, applicationLog],
  [12, sshLog],
  [12, clusterLog],
  [4, errorLog],
  [2, personalLog],
];

/**
 * Generates log lines of a small web shop: access logs, JSON of applications, sshd, cluster events,
 * errors with stack traces, and a few lines with fictitious e-mail addresses, card numbers and
 * social security numbers. Each line begins with a time in ISO 8601. The times of `count` lines
 * increase from `from` to `to`. The same arguments generate the same lines.
 */
export function* generateLogLines(seed: number, count: number, from: Date, to: Date): Generator<string> {
  const next = seededRandom(seed);
  const below = (limit: number) => Math.floor(next() * limit);
  const random: RandomSource = {
    below,
    pick: (items) => items[below(items.length)] as (typeof items)[number],
    hex: (digits) => Array.from({ length: digits }, () => below(16).toString(16)).join(''),
  };
  const step = (to.getTime() - from.getTime()) / count;
  for (let index = 0; index < count; index += 1) {
    const at = new Date(from.getTime() + (index + next()) * step).toISOString();
    yield generatorFor(below(100))(random, at);
  }
}

/** Generates `count` lines of one day, 2026-05-01; see `generateLogLines`. */
export function generateDayOfLogLines(seed: number, count: number): string[] {
  const from = new Date('2026-05-01T00:00:00.000Z');
  return [...generateLogLines(seed, count, from, new Date(from.getTime() + day))];
}

function generatorFor(percent: number): LineGenerator {
  let left = percent;
  for (const [share, generate] of lineShares) {
    if (left < share) return generate;
    left -= share;
  }
  return accessLog;
}

function address(random: RandomSource): string {
  // Address ranges for documentation.
  return `${random.pick(['192.0.2', '198.51.100', '203.0.113'])}.${random.below(256)}`;
}
