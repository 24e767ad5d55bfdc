import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { createRunningScenario, getMetrics } from '../support/requests.ts';
import { startTestService } from '../support/test-service.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** An entry as a response shows it, in short. */
interface Shown {
  message_preview: string;
  message_hash: string;
  source: string | null;
  level: string | null;
  pii: { type: string }[];
}

describe('lines of container runtimes', () => {
  const service = startTestService();

  async function send(body: string | Buffer, type: string, query = '') {
    const { id } = await createRunningScenario(service);
    const response = await service.request('POST', `/ingest/${id}?answer=full${query}`, {
      headers: { 'Content-Type': type },
      body: Buffer.from(body as string),
    });
    expect(response.status, response.text).to.equal(200);
    const results: Shown[] = response.body.results ?? [response.body];
    const { timeseries } = await getMetrics(service, id);
    const hours = timeseries.map(({ hour, logs }: { hour: string; logs: number }) => [hour.slice(5, 13), logs]);
    return { results, hours: Object.fromEntries(hours) as Record<string, number>, body: response.body };
  }
  const messages = (results: readonly Shown[]) => results.map((result) => result.message_preview);

  it('joins the parts of CRI, as bytes, and takes time and stream from the prefix', async () => {
    const [start, end] = [Buffer.from('naïve ').subarray(0, 3), Buffer.from('naïve ').subarray(3)];
    const text = Buffer.concat([
      Buffer.from('2026-05-01T10:59:59.669794202Z stdout P '),
      start,
      Buffer.from('\n2026-05-01T11:00:00Z stderr F other stream\n2026-05-01T13:00:00.1+02:00 stdout F:tag '),
      end,
      Buffer.from('to 4111 1111 1111 1111\n2026-05-01T11:00:00.5Z stdout F \n2026-05-01T11:00:01Z stderr P open end'),
    ]);
    const { results, hours, body } = await send(text, 'text/plain');
    const joined = 'naïve to 4111 1111 1111 1111';
    expect(results.map(({ message_hash: hash }) => hash)).to.deep.equal(
      [joined, 'other stream', 'open end'].map(sha256),
    );
    expect(results.map(({ source }) => source)).to.deep.equal(['stdout', 'stderr', 'stderr']);
    expect(results[0]?.pii).to.deep.equal([{ type: 'payment_card', count: 1 }]);
    expect(hours).to.deep.equal({ '05-01T10': 1, '05-01T11': 2 });
    expect(body.timed).to.equal(3);
  });

  it('reads records in JSON inside of CRI like others', async () => {
    const record = JSON.stringify({
      level: 'error',
      msg: 'llm call',
      service: 'cart',
      usage: { prompt_tokens: 10, completion_tokens: 3 },
      time: '2020-01-01T00:00:00Z',
    });
    const { results, hours } = await send(`2026-05-01T10:00:00Z stdout F ${record}\n`, 'text/plain');
    expect(results[0]).to.deep.include({ message_preview: 'llm call', level: 'error', source: 'cart' });
    expect(results[0]).to.have.deep.property('metrics').that.includes({ input_tokens: 10, output_tokens: 3 });
    expect(hours).to.deep.equal({ '05-01T10': 1 });
  });

  it('joins stack traces inside of CRI, and parts up to 256 KiB', async () => {
    const prefix = (second: number, tag = 'F') => `2026-05-01T10:00:${String(second).padStart(2, '0')}Z stdout ${tag} `;
    const trace = `${prefix(1)}2026-05-01 10:00:01 ERROR a\n${prefix(2)}\tat b\n${prefix(3)}Caused by: c\n${prefix(4)}2026-05-01 10:00:04 d\n`;
    const joined = await send(trace, 'text/plain', '&join=trace');
    expect(joined.results.map(({ message_hash: hash }) => hash)).to.deep.equal(
      ['2026-05-01 10:00:01 ERROR a\n\tat b\nCaused by: c', '2026-05-01 10:00:04 d'].map(sha256),
    );
    const mixed = `${prefix(1, 'P')}first \nplain\n${prefix(2)}second\n\tcontinued\n\tmore\n`;
    expect(messages((await send(mixed, 'text/plain', '&join=trace')).results)).to.deep.equal([
      'first second',
      'plain\n\tcontinued\n\tmore',
    ]);
    const part = `${prefix(5, 'P')}${'x'.repeat(16_384)}\n`;
    const long = await send(part.repeat(20), 'text/plain');
    expect(long.results.map(({ message_hash: hash }) => hash)).to.deep.equal(
      ['x'.repeat(256 * 1024), 'x'.repeat(4 * 16_384)].map(sha256),
    );
  });

  const docker = (log: string, stream = 'stdout', more = {}) =>
    `${JSON.stringify({ log, stream, ...more, time: '2026-05-01T10:00:00.123456789Z' })}\n`;

  it('joins parts of Docker where another line of the stream has an end', async () => {
    const body = [
      docker('first part, '),
      docker('of stderr', 'stderr'),
      docker('the end 4111 1111 1111 1111\n'),
      docker('{"level":"warn","msg":"inside"}\n', 'stdout', { attrs: { tag: 'a' } }),
      docker('also stderr', 'stderr'),
    ].join('');
    const { results } = await send(body, 'application/x-ndjson');
    expect(messages(results).sort()).to.deep.equal(
      ['also stderr', 'first part, the end [PAYMENT_CARD]\n', 'inside', 'of stderr'].sort(),
    );
    expect(results.find(({ message_preview: message }) => message === 'inside')).to.include({
      level: 'warn',
      source: 'stdout',
    });
  });

  it('joins records of log shippers by their tags only', async () => {
    const kubernetes = { pod_name: 'cart-1' };
    const tagged = [
      { log: 'a1 ', stream: 'stdout', _p: 'P', kubernetes },
      { log: 'b', stream: 'stdout', _p: 'F', kubernetes: { pod_name: 'mail-1' } },
      { log: 'a2', stream: 'stdout', _p: 'F', kubernetes },
      { message: 'c1 ', stream: 'stderr', logtag: 'P' },
      { message: 'c2', stream: 'stderr', logtag: 'F' },
      { log: 'without an end', stream: 'stdout', kubernetes, time: '2026-05-01T10:00:00Z' },
      { log: 'with an end\n', stream: 'stdout', kubernetes, time: '2026-05-01T10:00:00Z' },
    ];
    const { results } = await send(JSON.stringify(tagged), 'application/json');
    expect(messages(results).sort()).to.deep.equal(['a1 a2', 'b', 'c1 c2', 'with an end\n', 'without an end'].sort());
  });
});
