import fc from 'fast-check';

export type Random = () => number;

export const chance = (random: Random, probability: number): boolean => random() < probability;

/** @throws if the list is empty. */
export function pick<T>(random: Random, list: readonly T[]): T {
  if (list.length === 0) throw new Error('The list to choose from is empty.');
  return list[Math.floor(random() * list.length)] as T;
}

/** One value of an arbitrary, which the source of random numbers determines. */
export function draw<T>(random: Random, arbitrary: fc.Arbitrary<T>): T {
  return fc.sample(arbitrary, { seed: Math.floor(random() * 2 ** 31), numRuns: 1 })[0] as T;
}

const numbers = ['-1', '1e3', '9007199254740993', '1e309', 'NaN'];
const times = ['2026-02-30', '+275760-09-13T00:00:00.000Z', '2026-05-01T12:00:00+99:99'];
const words = ['null', '[]', '__proto__', 'constructor', '$where', 'a.b', '.*+?^${}()|[]\\', "' OR 1=1 --"];
const parts = ['', ' ', '%zz', '%00', '../../etc/passwd', '00000000-0000-0000-0000-000000000000'];
const characters = ['\0', '\u0001\u001f', 'a\r\nb', '\ud800', '\u202e\u05d0\u0628', '\u200b\ufeff', '\ufb03\u0130'];
const long = ['\u{1f600}'.repeat(60), 'Z\u0351\u036b\u0343'.repeat(30), 'x'.repeat(5_000)];

/** Text that parsers, databases and terminals are known to trip over. */
export const oddTexts: readonly string[] = [...numbers, ...times, ...words, ...parts, ...characters, ...long];
export const oddNames: readonly string[] = [...words, '', 'toString', '$set', '_id', '\ud800', 'x'.repeat(1_000)];

export const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(...oddTexts),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.jsonValue({ depthSize: 'medium' }),
  fc.constantFrom<unknown>(null, -0.5, 1e-320, 1e308, [[]], { $gt: '' }, { length: 3, toString: 1 }),
  fc.constantFrom<unknown>(Array(1_200).fill(0), JSON.parse(`${'['.repeat(60)}${']'.repeat(60)}`)),
);

const brokenJson = ['', ' ', '{', '"', '{"name":}', "{'name':1}", '{"a":1}{"b":2}', '[1,]', '01', 'NaN', '\n\n\n'];
const doubtfulJson = ['{"name":"a","name":"b"}', '[1e400]', '\ufeff{}', '"\\ud800"', '"\\u0000"'];

/** JSON that `JSON.stringify` does not write, and bytes that are not JSON. */
export const oddBodies: readonly (string | Uint8Array)[] = [
  ...brokenJson,
  ...doubtfulJson,
  '{"__proto__":{"admin":true},"name":"a","region":"eu-west-1"}',
  `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
  `{"a":${'9'.repeat(400)}}`,
  Uint8Array.of(0x22, 0xff, 0xfe, 0x22),
];

/** Values of headers that the service, its router or its parsers read. They are Latin-1. */
export const oddHeaders: Readonly<Record<string, readonly string[]>> = {
  'Content-Type': ['text/plain', 'application/x-ndjson', '/', ';', 'application/json; charset=utf-16'],
  'Content-Encoding': ['gzip', 'br, gzip', 'nonsense'],
  'Idempotency-Key': ['x'.repeat(256), '\u00e9\u00ff', 'the same key'],
  'If-None-Match': ['*', 'W/"1", "2", nonsense'],
  'If-Match': ['*', '"no such version"', '\u00e9'],
  Authorization: ['Basic bm9ib2R5Om5vdGhpbmc=', 'Bearer', 'Bearer a.b.c', 'Bearer eyJhbGciOiJub25lIn0.e30.'],
  'X-API-Key': ['mb_nonsense', '\u00ff'],
  'X-Scenario-ID': ['nonsense', '\u00e9'.repeat(300)],
  'X-User-ID': ['nonsense'],
  'X-Request-ID': ['nonsense', '00000000-0000-0000-0000-000000000000'],
  Prefer: ['respond-async, wait=nonsense; a="b'],
};
