import { gzipSync } from 'node:zlib';
import { seededRandom } from '../../shared/seeded-random.ts';
import type { Attack, AttackTarget } from './attack.ts';
import { post } from './post.ts';

/**
 * Bodies of `POST /ingest` that are small or ordinary when they are sent and expensive to unpack,
 * to parse or to validate. Nearly all unpack to the largest accepted size or reach another limit of
 * `bodyLimits`.
 */
export function ingestShapes(): Attack[] {
  const refused = { status: 400, code: 'VALIDATION_ERROR' };
  const tooLarge = { status: 413, code: 'PAYLOAD_TOO_LARGE' };
  const accepted = { status: 202 };
  const lines = { 'Content-Type': 'application/x-ndjson' };
  return [
    shape('999 entries of 450 attributes', refused, list(999, withAttributes(450, '1'))),
    shape('1,000 entries of 99 attributes that are null', refused, list(1000, withAttributes(98, 'null'))),
    shape('1,000 entries of 98 valid attributes', accepted, list(1000, withAttributes(98, '1'))),
    shape('100 entries of 999 unknown fields', refused, list(100, objectOf(999, '1'))),
    shape('1,000 entries of 99 unknown fields', refused, list(1000, objectOf(99, '1'))),
    shape('1,000 entries of 99 fields named alike', refused, list(1000, `{${repeat('"message":""', 99)}}`)),
    shape('a list of empty objects', tooLarge, list(largest / 3, '{}')),
    shape('1,000 empty objects', refused, list(1000, '{}')),
    shape('lists nested to the largest size', refused, gzipSync('['.repeat(largest)), packed),
    shape('nested lists of a megabyte', refused, `{"message":"a","attributes":${'['.repeat(1_000_000)}`),
    shape('3,000 lists, 31 levels deep', refused, list(100, `{"attributes":[${repeat(nested(29), 30)}]}`)),
    shape('a message of escapes', refused, `{"message":"${'\\u00e9'.repeat(largest / 6 - 4)}"}`, uncompressed),
    shape('a string of backslashes', refused, `{"message":"${'\\\\'.repeat(largest / 2 - 10)}"}`, uncompressed),
    shape('escapes in 98 attributes of 1,000 entries', refused, list(1000, withAttributes(98, '"\\u0000"'))),
    shape('a string of the largest size', refused, `{"source":"${'é'.repeat(largest / 2 - 10)}"}`, uncompressed),
    shape('a field name of the largest size', refused, `{"${'n'.repeat(largest - 10)}":1}`, uncompressed),
    shape('a number of the largest size', refused, `{"timestamp":${'7'.repeat(largest - 20)}}`, uncompressed),
    shape('a time of the largest size', refused, `{"timestamp":"${'7'.repeat(largest - 20)}"}`, uncompressed),
    shape('1,000 times of 4 KB', refused, list(1000, `{"message":"a","timestamp":"${'2026-'.repeat(800)}"}`)),
    shape('1,000 entries of 98 numbers out of range', refused, list(1000, withAttributes(98, '1e999'))),
    shape('1,000 messages of 5 KB', accepted, list(1000, `{"message":"${'a'.repeat(5000)}"}`), uncompressed),
    shape('1,000 entries and their results', { status: 200 }, list(1000, '{"message":"a"}'), {
      Prefer: 'wait',
    }),
    shape('spaces of the largest size', refused, gzipSync(' '.repeat(largest)), packed),
    shape('a gigabyte of spaces', tooLarge, bomb(1024), packed),
    shape('200,000 empty gzip members', refused, Buffer.concat(Array(200_000).fill(gzipSync(''))), packed),
    shape('lines of the largest size', refused, '\n'.repeat(largest), { ...uncompressed, ...lines }),
    shape('1,000 lines that are not JSON', refused, '{"message":\n'.repeat(1000), lines),
    shape('lines of one bracket', refused, '{\n'.repeat(largest / 2), { ...uncompressed, ...lines }),
    shape(
      '1,000 refused entries beside one valid',
      accepted,
      `[${repeat('{}', 999)},{"message":"a"}]`,
      {},
      '?partial=true',
    ),
  ];
}

export const largest = 5 * 1024 * 1024;
const uncompressed = { 'Content-Encoding': 'identity' };
/** The body is compressed already. */
const packed = { 'Content-Encoding': 'x-gzip' };

function shape(
  name: string,
  response: Attack['response'],
  content: string | Buffer,
  headers: Record<string, string> = {},
  query = '',
): Attack {
  let body: Buffer<ArrayBuffer> | undefined;
  return {
    name,
    response,
    send: async ({ url, scenarioId }: AttackTarget) => {
      body ??= Buffer.from('Content-Encoding' in headers ? content : pack(content));
      return post(`${url}/ingest${query}`, body, {
        'X-Scenario-ID': scenarioId,
        'Content-Encoding': 'gzip',
        // The worker processes accepted entries, which is not part of the work of `web` for the
        // request.
        Prefer: 'respond-async',
        ...headers,
      });
    },
  };
}

/** Compresses to just under the accepted ratio: spaces and line ends in random order come first. */
function pack(content: string | Buffer): Buffer<ArrayBuffer> {
  const random = seededRandom(1);
  const blanks = Array.from({ length: content.length / 20 }, () => ' \t\r\n'[Math.floor(random() * 4)]).join('');
  return gzipSync(Buffer.concat([Buffer.from(blanks), Buffer.from(content)]), { level: 9 });
}

export const repeat = (item: string, count: number) => Array(count).fill(item).join(',');
const list = (count: number, entry: string) => `[${repeat(entry, Math.floor(count))}]`;
export const objectOf = (count: number, value: string) =>
  `{${Array.from({ length: count }, (_, index) => `"f${index}":${value}`).join(',')}}`;
const withAttributes = (count: number, value: string) => `{"message":"a","attributes":${objectOf(count, value)}}`;
export const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

/** So many mebibytes of spaces, as several gzip members of a mebibyte. */
function bomb(mebibytes: number): Buffer {
  return Buffer.concat(Array<Buffer>(mebibytes).fill(gzipSync(' '.repeat(1024 * 1024), { level: 9 })));
}
