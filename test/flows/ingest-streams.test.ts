import { createHash, randomUUID } from 'node:crypto';
import zlib, { deflateSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { createRunningScenario, createScenario, expectError, flush, getMetrics } from '../support/requests.ts';
import { startTestService, type TestService } from '../support/test-service.ts';

const lines = Array.from({ length: 3 }, (_, index) => ({
  date: 1777640400.5 + index,
  log: `line ${index}`,
  pid: index,
}));
const asLines = (items: readonly unknown[], end = '\n') => items.map((item) => JSON.stringify(item) + end).join('');

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** The body, its type (none if empty), and headers. Each has three entries. */
type Body = [string, string | Uint8Array, string, Record<string, string>?];
/** From Node.js 22.15 on. */
const { zstdCompressSync } = zlib as { zstdCompressSync?: typeof gzipSync };

const zstdBodies: Body[] = zstdCompressSync
  ? [['zstd', zstdCompressSync(asLines(lines)), 'application/json', { 'Content-Encoding': 'zstd' }]]
  : [];

const bodies: Body[] = [
  ['a list', JSON.stringify(lines), 'application/json'],
  ['objects one after the other', lines.map((line) => JSON.stringify(line)).join(''), 'application/json'],
  ['objects over several lines', lines.map((line) => JSON.stringify(line, null, 2)).join('\n'), 'application/json'],
  ['lists one after the other', JSON.stringify(lines.slice(0, 2)) + JSON.stringify(lines.slice(2)), 'application/json'],
  ['NDJSON called JSON', asLines(lines), 'application/json; charset=utf-8'],
  ['NDJSON with blank lines and CRLF', `\r\n${asLines(lines, '\r\n\r\n')}`, 'application/x-ndjson'],
  ['NDJSON without a line end', lines.map((line) => JSON.stringify(line)).join(''), 'application/x-ndjson'],
  ...['ndjson', 'jsonl', 'jsonlines', 'x-jsonlines', 'json-lines', 'stream+json'].map(
    (name): [string, string, string] => [`NDJSON called ${name}`, asLines(lines), `application/${name}`],
  ),
  ['NDJSON without a type', asLines(lines), ''],
  ['a list without a type', ` ${JSON.stringify(lines)}`, ''],
  ['JSON as curl sends it', asLines(lines), 'application/x-www-form-urlencoded'],
  ['a list under logs', `{ "logs" : ${JSON.stringify(lines)} }\n`, 'application/json'],
  ['a list under logs without a type', JSON.stringify({ logs: lines }), ''],
  ['a byte order mark', `\ufeff${asLines(lines)}`, 'application/json'],
  ['lines of text', 'line 0\nline 1\r\nline 2', 'text/plain'],
  ['lines of text that look like JSON', '{"message": 1}\n[1]\n{', 'text/plain; charset=UTF-8'],
  ['lines of text without a type', '[2026-05-01] line 0\n{line 1}\n[line 2]\n', ''],
  ['gzip', gzipSync(asLines(lines)), 'application/x-ndjson', { 'Content-Encoding': 'gzip' }],
  ['deflate', deflateSync(asLines(lines)), 'application/json', { 'Content-Encoding': 'deflate' }],
  ...zstdBodies,
];

/** Sends a body as a log shipper does; without a type if `type` is empty. */
function send(
  service: Pick<TestService, 'request'>,
  id: string,
  body: string | Uint8Array,
  { type = 'application/json', query = '', headers = {} } = {},
) {
  return service.request('POST', `/ingest/${id}${query}`, {
    // A text without a type would be sent as text/plain.
    body: Buffer.from(body as string),
    headers: { ...(type === '' ? {} : { 'Content-Type': type }), ...headers },
  });
}

const summary = (accepted: number, rejected = 0, skipped = 0) => ({ accepted, usage_unread: 0, rejected, skipped });

describe('the ingest of streams', () => {
  const service = startTestService();
  let scenarioId = '';
  before(async () => {
    ({ id: scenarioId } = await createRunningScenario(service));
  });

  it('takes what shippers send by default', async () => {
    for (const [what, body, type, headers = {}] of bodies) {
      const response = await send(service, scenarioId, body, { type, headers });
      const { timed, ...rest } = response.body;
      expect([what, response.status, rest]).to.deep.equal([what, 200, { ...summary(3), errors: [] }]);
      expect(timed, what).to.equal(String(body).includes('"date"') || headers['Content-Encoding'] ? 3 : 0);
    }
    await flush(service, scenarioId);
    expect((await getMetrics(service, scenarioId)).totals.logs).to.equal(3 * bodies.length);
  });

  it('responds with a summary that counts rejected and skipped entries, and is never 207', async () => {
    const tooLong = { log: 'é'.repeat(131_073) };
    const tooDeep = JSON.parse(`${'['.repeat(40)}${']'.repeat(40)}`) as unknown;
    const body = [{ log: 'a' }, { log: '' }, tooLong, 'b', { log: '\n' }, ...Array(30).fill(tooDeep)];
    const response = await send(service, scenarioId, asLines(body), { type: 'application/x-ndjson' });
    expect(response.status).to.equal(200);
    const { errors, timed: _, ...counts } = response.body;
    expect(counts).to.deep.equal(summary(2, 31, 2));
    expect(errors).to.have.length(20);
    expect(errors[0]).to.deep.equal({ index: 2, field: 'message', error: 'must be at most 262144 bytes of UTF-8' });

    const text = await send(service, scenarioId, 'a\n\n \r\nb\n', { type: 'text/plain' });
    expect([text.status, text.body]).to.deep.equal([200, { ...summary(2, 0, 2), timed: 0, errors: [] }]);
    const nothing = await send(service, scenarioId, '[]');
    expect([nothing.status, nothing.body]).to.deep.equal([200, { ...summary(0), timed: 0, errors: [] }]);
  });

  it('refuses a body of which nothing can be read, and names why', async () => {
    const tooLargeInUtf8 = Buffer.from(`${'\u0080'.repeat(1000)}\n`.repeat(4000), 'latin1');
    const refused: [string | Uint8Array, string, number, string, message?: string][] = [
      ['', 'application/json', 400, 'VALIDATION_ERROR'],
      ['<log/>', 'application/xml', 415, 'UNSUPPORTED_MEDIA_TYPE'],
      ['{"log":"a"}', 'application/json; charset=latin1', 415, 'UNSUPPORTED_MEDIA_TYPE'],
      ['a', 'text/plain; charset="klingon"', 415, 'UNSUPPORTED_MEDIA_TYPE', '"klingon"'],
      ['a', String.raw`text/plain; charset="x\"y"`, 415, 'UNSUPPORTED_MEDIA_TYPE', String.raw`"x\"y"`],
      ['a', 'text/plain; charset="utf-32"', 415, 'UNSUPPORTED_MEDIA_TYPE', '"utf-32"'],
      [tooLargeInUtf8, 'text/plain; charset=windows-1252', 413, 'PAYLOAD_TOO_LARGE'],
    ];
    for (const [body, type, status, code, message = ''] of refused) {
      const response = await send(service, scenarioId, body, { type });
      expectError(response, status, code);
      expect(response.body.error.message).to.include(message);
    }
    for (const [query, field] of [
      ['?fields=any', 'fields'],
      ['?answer=none', 'answer'],
      ['?time=now', 'time'],
      ['?join=all', 'join'],
      ['?zone=Mars/Base', 'zone'],
      ['?zone=%2B02:00', 'zone'],
      ['?zone=', 'zone'],
    ] as const) {
      expectError(await send(service, scenarioId, '{"log":"a"}', { query }), 400, 'VALIDATION_ERROR', [field]);
    }
    expectError(await send(service, 'x', '{"log":"a"}'), 400, 'VALIDATION_ERROR', ['scenario_id']);
    expectError(await send(service, randomUUID(), '{"log":"a"}'), 404, 'NOT_FOUND');
    const draft = await createScenario(service);
    expectError(await send(service, draft.id, 'x'.repeat(100_000), { type: 'text/plain' }), 409, 'INVALID_STATE');
  });

  it('responds in full where that is asked for, for up to 1,000 entries', async () => {
    const query = '?answer=full';
    const single = await send(service, scenarioId, '{"log":"to jane@example.com","pid":7}', { query });
    expect([single.status, single.body.message_preview, single.body.size_bytes]).to.deep.equal([
      200,
      'to [EMAIL]',
      'to jane@example.com'.length + 'pid7'.length + 6,
    ]);
    const partial = await send(service, scenarioId, `[{"log":"a"},{"log":"${'x'.repeat(262_145)}"},{"log":"b"}]`, {
      query,
    });
    expect([partial.status, partial.body.accepted, partial.body.rejected]).to.deep.equal([200, 2, 1]);
    expect(partial.body.results[1]).to.include({ index: 1, status: 400 });
    const many = await send(service, scenarioId, 'a\n'.repeat(1001), { type: 'text/plain', query });
    expectError(many, 400, 'VALIDATION_ERROR', ['answer']);
    // The id of an entry can contain 65,536 positions.
    const far = (blanks: number) => `[{"log":"a"},${'"",'.repeat(blanks)}{"log":"b"}]`;
    const last = await send(service, scenarioId, far(65_534), { query });
    expect(last.body.results.map((result: { id: string }) => result.id.slice(-4))).to.deep.equal(['0000', 'ffff']);
    expectError(await send(service, scenarioId, far(65_535), { query }), 400, 'VALIDATION_ERROR', ['answer']);
    const strict = await send(service, scenarioId, asLines([{ log: 'a' }, { log: 'b', pid: 7 }]), {
      type: 'application/x-ndjson',
      query: '?fields=strict&partial=true',
    });
    expect([strict.status, strict.body.accepted, strict.body.rejected]).to.deep.equal([200, 1, 1]);
  });

  const text = '2026-03-05 10:00:00 ERROR mail to jane.doe@example.com\r\nGrüße €\r\n';
  const utf16 = (content: string) => Buffer.from(content, 'utf16le');
  const encoded: [string, Uint8Array, string][] = [
    ['UTF-16 with a byte order mark', utf16(`\ufeff${text}`), 'text/plain'],
    ['UTF-16 without one', utf16(text), 'text/plain'],
    ['big-endian UTF-16 with a byte order mark', utf16(`\ufeff${text}`).swap16(), 'text/plain'],
    ['big-endian UTF-16 without one', utf16(text).swap16(), 'text/plain'],
    ['UTF-16 that is said to be UTF-8', utf16(text), 'text/plain; charset=utf-8'],
    ['UTF-16 without a type', utf16(`\ufeff${text}`), 'application/octet-stream'],
    ['UTF-16 by its charset', utf16(text), 'text/plain; charset=UTF-16LE'],
    [
      'windows-1252 by its charset',
      Buffer.from(text.replace('€', '\u0080'), 'latin1'),
      'text/plain; charset=windows-1252',
    ],
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${text}`), 'text/plain'],
  ];

  it('texts in other encodings are decoded', async () => {
    const hashes = text.trimEnd().split('\r\n').map(sha256);
    for (const [index, [what, body, type]] of encoded.entries()) {
      const isPacked = index % 2 === 1;
      const headers = isPacked ? { 'Content-Encoding': 'gzip' } : {};
      const response = await send(service, scenarioId, isPacked ? gzipSync(body) : body, {
        type,
        query: '?answer=full',
        headers,
      });
      expect(response.status, `${what}: ${response.text}`).to.equal(200);
      const results = response.body.results as { message_hash: string; has_pii: boolean }[];
      expect([what, ...results.map((result) => result.message_hash)]).to.deep.equal([what, ...hashes]);
      expect(results[0]?.has_pii).to.equal(true);
    }
  });

  /** Entries by hour, as `2026-03-05T10`. */
  async function hoursOf(id: string): Promise<Record<string, number>> {
    await flush(service, id);
    const { timeseries } = await getMetrics(service, id, '?interval=hour');
    const counted = timeseries.filter(({ logs }: { logs: number }) => logs > 0);
    return Object.fromEntries(
      counted.map(({ hour, logs }: { hour: string; logs: number }) => [hour.slice(0, 13), logs]),
    );
  }

  it('lines are counted in their hour at both addresses, by the parameters of the request', async () => {
    for (const [path, levels, hours] of [
      ['/ingest', ['error', null, null], { '2026-03-05T10': 2, '2026-03-05T11': 1 }],
      [
        '/ingest/{id}?answer=full&zone=Europe/Berlin&join=trace',
        ['error', null],
        { '2026-03-05T09': 1, '2026-03-05T10': 1 },
      ],
    ] as const) {
      const { id } = await createRunningScenario(service);
      const response = await service.request('POST', path.replace('{id}', id), {
        body: '2026-03-05 10:00:00 [error] a\nb\n2026-03-05 11:30:00 c\n',
        headers: { 'X-Scenario-ID': id, 'Content-Type': 'text/plain' },
      });
      expect(response.status, response.text).to.equal(200);
      expect(response.body.results.map(({ level }: { level: string | null }) => level)).to.deep.equal(levels);
      expect(await hoursOf(id)).to.deep.equal(hours);
    }
  });

  it('lines keep the time of their first arrival when the request is repeated', async () => {
    const { id } = await createRunningScenario(service);
    const repeat = () =>
      service.request('POST', `/ingest/${id}?answer=full`, {
        body: Buffer.from('2026-03-05 10:00:00 a\nb\n'),
        headers: { 'Content-Type': 'text/plain', 'Idempotency-Key': key },
      });
    const key = randomUUID();
    const first = await repeat();
    expect((await repeat()).text).to.equal(first.text);
    expect(await hoursOf(id)).to.deep.equal({ '2026-03-05T10': 2 });
  });
});
