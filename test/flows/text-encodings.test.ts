import { createHash, randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { createRunningScenario, expectError, flush, getMetrics } from '../support/requests.ts';
import { startTestService } from '../support/test-service.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

describe('lines of text, and texts in other encodings', () => {
  const service = startTestService();
  let id = '';
  before(async () => {
    ({ id } = await createRunningScenario(service));
  });

  const send = (body: string | Uint8Array, query: string, type: string, headers = {}) =>
    service.request('POST', `/ingest/${id}${query}`, {
      body: Buffer.from(body as string),
      headers: { 'Content-Type': type, ...headers },
    });

  const text = '2026-03-05 10:00:00 ERROR mail to jane.doe@example.com\r\nGrüße €\r\n';
  const utf16 = (content: string) => Buffer.from(content, 'utf16le');
  const bodies: [string, Uint8Array, string][] = [
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
    for (const [index, [what, body, type]] of bodies.entries()) {
      const isPacked = index % 2 === 1;
      const headers = isPacked ? { 'Content-Encoding': 'gzip' } : {};
      const response = await send(isPacked ? gzipSync(body) : body, '?answer=full', type, headers);
      expect(response.status, `${what}: ${response.text}`).to.equal(200);
      const results = response.body.results as { message_hash: string; has_pii: boolean }[];
      expect([what, ...results.map((result) => result.message_hash)]).to.deep.equal([what, ...hashes]);
      expect(results[0]?.has_pii).to.equal(true);
    }
  });

  it('texts are refused if their charset is unknown, before the body is read', async () => {
    for (const charset of ['klingon', 'x"y', 'utf-32']) {
      const response = await send(text, '', `text/plain; charset=${JSON.stringify(charset)}`);
      expectError(response, 415, 'UNSUPPORTED_MEDIA_TYPE');
      expect(response.body.error.message).to.include(JSON.stringify(charset));
    }
  });

  it('texts are refused if they are too large in UTF-8', async () => {
    const body = Buffer.from(`${'\u0080'.repeat(1000)}\n`.repeat(4000), 'latin1');
    const response = await send(body, '', 'text/plain; charset=windows-1252');
    expectError(response, 413, 'PAYLOAD_TOO_LARGE');
  });

  it('bytes that the encoding does not have are replaced, also at /ingest', async () => {
    for (const path of [`/ingest/${id}?answer=full`, '/ingest']) {
      const response = await service.request('POST', path, {
        body: Buffer.from('caf\xe9\n', 'latin1'),
        headers: { 'X-Scenario-ID': id, 'Content-Type': 'text/plain' },
      });
      expect(response.status, response.text).to.equal(200);
      expect(response.body.results[0].message_preview).to.equal('caf\ufffd');
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
