import type { Attack, AttackTarget } from './attack.ts';
import { largest, nested, objectOf, repeat } from './ingest-shapes.ts';
import { post } from './post.ts';

/**
 * Bodies of `POST /ingest/{scenario_id}`, where nearly everything is an entry and only bytes limit
 * a request.
 */
export function streamShapes(lines: number): Attack[] {
  const count = lines.toLocaleString('en');
  const taken = { status: 200 };
  const refused = { status: 400, code: 'VALIDATION_ERROR' };
  const tooLarge = { status: 413, code: 'PAYLOAD_TOO_LARGE' };
  const ndjson = 'application/x-ndjson';
  const text = 'text/plain';
  return [
    shape('10,000 lines of text', taken, 'GET /cart 200 of a shop\n'.repeat(10_000), text),
    shape('lines of one character', tooLarge, 'a\n'.repeat(largest / 2), text),
    shape(`${count} blank lines`, taken, '\n'.repeat(lines), text),
    shape('10,000 objects without a line end', taken, '{"log":"a","n":1}'.repeat(10_000)),
    shape('50 records of 10,000 fields', taken, repeat(objectOf(10_000, '1'), 50)),
    shape(`${count} lines that are cut off`, refused, '{"log":"a\n'.repeat(lines), ndjson),
    shape('40,000 lines in an object that never ends', taken, `{"a":{${'\n"log":"a",'.repeat(40_000)}`),
    shape('an object that never ends in each of 20,000 lines', taken, `{"log":1}${'\n{"log":{"a":1'.repeat(20_000)}`),
    shape('words that are no JSON', taken, `{"log":1}\n${'a b c d e f g h '.repeat(5000)}\n`.repeat(50), ndjson),
    shape(
      'lists in lists, a record of 2 MB',
      taken,
      `{"log":"a"}\n{"a":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}}`,
    ),
    shape('1,000 records of 31 levels', taken, repeat(`{"a":${nested(31)}}`, 1000)),
    shape('a message of 2 MB of escapes', taken, `{"log":"a"}{"log":"${'\\u00e9'.repeat(340_000)}"}`),
    shape('60 nested attributes of 80 KB', taken, repeat(`{"log":"a","b":{"c":"${'é'.repeat(40_000)}"}}`, 60)),
    shape('words before 64,000 blank lines', refused, `x${'\n'.repeat(64_000)}`),
    shape(
      '4,000 attributes of a model call under a name of 20 KB',
      taken,
      `{"log":"a","token":1,"gen_ai":{"${'a'.repeat(20_000)}":${objectOf(4_000, '1')}}}`,
    ),
    shape('a time and a level of 2 MB', taken, `{"log":"a","time":"${'7'.repeat(1e6)}","level":"${'é'.repeat(4e5)}"}`),
  ];
}

function shape(name: string, response: Attack['response'], content: string, type = 'application/json'): Attack {
  let body: Buffer<ArrayBuffer> | undefined;
  return {
    name: `stream: ${name}`,
    response,
    send: async ({ url, scenarioId }: AttackTarget) => {
      body ??= Buffer.from(content);
      return post(`${url}/ingest/${scenarioId}`, body, { 'Content-Type': type });
    },
  };
}
