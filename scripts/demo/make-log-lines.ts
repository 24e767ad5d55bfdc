import { day } from '../../shared/durations.ts';
import { seededRandom } from '../seeded-random.ts';

/** Draws from one seeded sequence. */
interface Dice {
  whole: (below: number) => number;
  pick: <T>(items: readonly T[]) => T;
  hex: (digits: number) => string;
}

type LineMaker = (dice: Dice, at: string) => string;

const users = ['anna', 'bilal', 'chen', 'dora', 'emeka', 'fatima', 'george', 'hana', 'ivan', 'jane'] as const;
const domains = ['example.com', 'example.org', 'mail.example.net'] as const;
const paths = ['/', '/login', '/api/orders', '/api/orders/42', '/cart', '/search?q=lamp', '/static/app.js'] as const;
const agents = ['Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101', 'curl/8.5.0', 'kube-probe/1.31'] as const;
const services = ['checkout', 'catalog', 'billing', 'search'] as const;
const levels = ['info', 'info', 'info', 'debug', 'warn'] as const;
/** Card numbers that payment providers publish for trials. */
const cards = ['4111 1111 1111 1111', '5555555555554444', '3782-822463-10005'] as const;
const errors = [
  'TypeError: order is undefined',
  'TimeoutError: upstream took 30000 ms',
  'Error: lock is held',
] as const;

const accessLog: LineMaker = (dice, at) =>
  `${at} ${address(dice)} - - "${dice.pick(['GET', 'GET', 'GET', 'POST'])} ${dice.pick(paths)} HTTP/1.1" ` +
  `${dice.pick([200, 200, 200, 200, 304, 404, 500])} ${dice.whole(50_000)} "-" "${dice.pick(agents)}" rt=0.${dice.whole(900) + 100}`;

const applicationLog: LineMaker = (dice, at) =>
  `${at} ${JSON.stringify({
    level: dice.pick(levels),
    service: dice.pick(services),
    msg: dice.pick(['order placed', 'cache miss', 'payment authorised', 'stock reserved', 'session renewed']),
    trace_id: dice.hex(32),
    order_id: 1_000_000 + dice.whole(9_000_000),
    duration_ms: dice.whole(800),
  })}`;

const sshLog: LineMaker = (dice, at) =>
  `${at} bastion sshd[${1_000 + dice.whole(60_000)}]: ${dice.pick([
    `Failed password for invalid user ${dice.pick(users)} from ${address(dice)} port ${1_024 + dice.whole(60_000)} ssh2`,
    `Accepted publickey for ${dice.pick(users)} from ${address(dice)} port ${1_024 + dice.whole(60_000)} ssh2`,
    `Connection closed by ${address(dice)} port ${1_024 + dice.whole(60_000)} [preauth]`,
  ])}`;

const clusterLog: LineMaker = (dice, at) =>
  `${at} stderr F I1121 reconciler.go:${100 + dice.whole(400)}] "Pod ${dice.pick(['started', 'deleted', 'probed'])}" ` +
  `pod="shop/${dice.pick(services)}-${dice.hex(9)}-${dice.hex(5)}" containerID="containerd://${dice.hex(64)}"`;

const errorLog: LineMaker = (dice, at) => {
  const error = dice.pick(errors);
  const frames = Array.from(
    { length: 4 + dice.whole(8) },
    () =>
      `    at ${dice.pick(['run', 'next', 'handle', 'Object.load'])} (/app/dist/${dice.pick(services)}.js:${1 + dice.whole(900)}:${1 + dice.whole(80)})`,
  );
  return `${at} ${JSON.stringify({ level: 'error', service: dice.pick(services), msg: error, stack: [error, ...frames].join('\n') })}`;
};

const personalLog: LineMaker = (dice, at) => {
  const mail = `${dice.pick(users)}.${dice.hex(4)}@${dice.pick(domains)}`;
  return `${at} ${dice.pick([
    `billing receipt sent to ${mail}`,
    `billing card ${dice.pick(cards)} declined for ${mail}`,
    `support SSN ${200 + dice.whole(500)}-${10 + dice.whole(89)}-${1_000 + dice.whole(8_999)} verified for customer ${dice.whole(90_000)}`,
  ])}`;
};

/** Kinds of lines with their share in a hundred. */
const mixture: readonly (readonly [number, LineMaker])[] = [
  [45, accessLog],
  [25, applicationLog],
  [12, sshLog],
  [12, clusterLog],
  [4, errorLog],
  [2, personalLog],
];

/**
 * Log lines without an end, as a small web shop would write them: access logs, JSON of applications, sshd, cluster
 * events, errors with stack traces, and a few with made-up e-mail addresses, card and social security numbers. Each
 * begins with its time in ISO 8601; times go on from `from` to `to` when `count` lines are taken.
 * The same arguments make the same lines.
 */
export function* logLines(seed: number, count: number, from: Date, to: Date): Generator<string> {
  const random = seededRandom(seed);
  const whole = (below: number) => Math.floor(random() * below);
  const dice: Dice = {
    whole,
    pick: (items) => items[whole(items.length)] as (typeof items)[number],
    hex: (digits) => Array.from({ length: digits }, () => whole(16).toString(16)).join(''),
  };
  const step = (to.getTime() - from.getTime()) / count;
  for (let index = 0; index < count; index += 1) {
    const at = new Date(from.getTime() + (index + random()) * step).toISOString();
    yield kindOfLine(whole(100))(dice, at);
  }
}

/** `count` lines of one day, 2026-05-01, in an array: see `logLines`. */
export function makeLogLines(seed: number, count: number): string[] {
  const from = new Date('2026-05-01T00:00:00.000Z');
  return [...logLines(seed, count, from, new Date(from.getTime() + day))];
}

function kindOfLine(percent: number): LineMaker {
  let left = percent;
  for (const [share, make] of mixture) {
    if (left < share) return make;
    left -= share;
  }
  return accessLog;
}

function address(dice: Dice): string {
  // Ranges that are set aside for documentation.
  return `${dice.pick(['192.0.2', '198.51.100', '203.0.113'])}.${dice.whole(256)}`;
}
