import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { createRunningScenario, getMetrics } from '../support/requests.ts';
import { startTestService } from '../support/test-service.ts';

/**
 * The logs of `log-files` by form: the entries at 9, 10 and 11 o'clock of 5 March, and their
 * levels.
 */
const logFiles: Readonly<Record<string, readonly [number, number, number, string]>> = {
  'android.txt': [0, 3, 2, 'debug info verbose error warn'],
  'apache-errors.txt': [0, 2, 1, 'notice error warn'],
  'blue-gene.txt': [0, 2, 2, 'INFO INFO FATAL FATAL'],
  'common-log.txt': [0, 2, 1, '- - -'],
  'epochs.txt': [0, 3, 3, '- - - - - INFO'],
  'go.txt': [0, 2, 1, '- - ERROR'],
  'hadoop.txt': [0, 1, 1, 'INFO WARN'],
  'iso-8601.txt': [0, 2, 3, 'INFO WARN ERROR INFO INFO'],
  'klog.txt': [0, 2, 2, 'info warn error fatal'],
  'log4j.txt': [0, 2, 1, 'INFO WARN ERROR'],
  'logback.txt': [0, 1, 2, 'INFO ERROR WARN'],
  'mongodb.txt': [0, 1, 1, '- -'],
  'mysql.txt': [1, 2, 1, '- Warning ERROR Warning'],
  'nginx.txt': [0, 2, 1, 'notice error -'],
  'postgresql.txt': [0, 2, 1, 'LOG WARNING FATAL'],
  'proxifier.txt': [0, 1, 1, '- -'],
  'python.txt': [0, 1, 2, 'INFO CRITICAL WARNING'],
  'redis.txt': [0, 1, 1, '- WARNING'],
  'rfc-3164.txt': [0, 2, 2, '- - ALERT -'],
  'rfc-5424.txt': [0, 2, 1, '- - error'],
  'spark.txt': [0, 1, 1, 'INFO WARN'],
};

const folder = new URL('log-files/', import.meta.url);
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

describe('lines of text', () => {
  const service = startTestService();

  async function send(body: string | Uint8Array, query = '?answer=full', type = 'text/plain', headers = {}) {
    const { id } = await createRunningScenario(service);
    const response = await service.request('POST', `/ingest/${id}${query}`, {
      body: Buffer.from(body as string),
      headers: { 'Content-Type': type, ...headers },
    });
    return { id, response };
  }

  /** Entries by hour, as `2026-03-05T10`. */
  async function hoursOf(id: string, period = ''): Promise<Record<string, number>> {
    await service.request('POST', '/flush', { headers: { 'X-Scenario-ID': id } });
    const { timeseries } = await getMetrics(service, id, `?interval=hour${period}`);
    const counted = timeseries.filter(({ logs }: { logs: number }) => logs > 0);
    return Object.fromEntries(
      counted.map(({ hour, logs }: { hour: string; logs: number }) => [hour.slice(0, 13), logs]),
    );
  }

  const levelsOf = (results: { level: string | null }[]) => results.map(({ level }) => level ?? '-').join(' ');
  const thisHour = () => new Date().toISOString().slice(0, 13);

  it('every form of lines has a file here', async () => {
    expect((await readdir(folder)).sort()).to.deep.equal(Object.keys(logFiles));
  });

  for (const [name, [nine, ten, eleven, levels]] of Object.entries(logFiles)) {
    it(`lines are counted in their hour and with their level (${name})`, async () => {
      const text = await readFile(new URL(name, folder), 'utf8');
      const { id, response } = await send(text);
      expect(response.status, response.text).to.equal(200);
      expect(levelsOf(response.body.results)).to.equal(levels);
      const lines = text.trimEnd().split('\n');
      const hashes = response.body.results.map((result: { message_hash: string }) => result.message_hash);
      expect(hashes).to.deep.equal(lines.map(sha256));
      const sizes = response.body.results.map((result: { size_bytes: number }) => result.size_bytes);
      expect(sizes).to.deep.equal(lines.map((line) => Buffer.byteLength(line)));
      const hours = Object.entries(await hoursOf(id)).map(([hour, logs]) => [hour.slice(5), logs]);
      const expected = Object.entries({ '03-05T09': nine, '03-05T10': ten, '03-05T11': eleven });
      expect(hours).to.deep.equal(expected.filter(([, logs]) => logs > 0));
    });
  }

  it('lines without a time have that of the line before them, the first ones that of arrival', async () => {
    const text = 'banner\n2026-03-05 10:00:00 ERROR a\n\tat b\n\nc\n2026-03-05 11:00:00 INFO d\ne\n';
    const sentAt = new Date();
    const { id, response } = await send(text, '');
    expect(response.body).to.deep.equal({
      accepted: 6,
      rejected: 0,
      skipped: 1,
      timed: 2,
      usage_unread: 0,
      errors: [],
    });
    const itsDay = await hoursOf(id, '&from=2026-03-05T00:00:00Z&to=2026-03-06T00:00:00Z');
    expect(itsDay).to.deep.equal({ '2026-03-05T10': 3, '2026-03-05T11': 2 });
    sentAt.setUTCMinutes(0, 0, 0);
    expect(Object.values(await hoursOf(id, `&from=${sentAt.toISOString()}`))).to.deep.equal([1]);
  });

  it('lines have the time of arrival and no level with time=arrival', async () => {
    const before = thisHour();
    const { id, response } = await send('2026-03-05 10:00:00 ERROR a\n', '?time=arrival');
    expect(response.body).to.deep.equal({
      accepted: 1,
      rejected: 0,
      skipped: 0,
      timed: 0,
      usage_unread: 0,
      errors: [],
    });
    expect([before, thisHour()]).to.include(Object.keys(await hoursOf(id))[0]);
    const { response: full } = await send('2026-03-05 10:00:00 ERROR a\n', '?time=arrival&answer=full');
    expect(full.body.results[0].level).to.equal(null);
  });

  it('lines that name no zone have that of the request', async () => {
    const text = '2026-03-08 01:30:00 a\n2026-03-08 02:30:00 b\n2026-03-08 03:30:00 c\n2026-03-08 09:30:00Z d\n';
    const { id } = await send(text, '?zone=America/New_York');
    expect(await hoursOf(id)).to.deep.equal({ '2026-03-08T06': 1, '2026-03-08T07': 2, '2026-03-08T09': 1 });
  });

  it('lines are read at /ingest too, as text/plain and without a type', async () => {
    for (const headers of [{ 'Content-Type': 'text/plain' }, {}]) {
      const { id } = await createRunningScenario(service);
      const response = await service.request('POST', '/ingest', {
        body: Buffer.from('2026-03-05 10:00:00 [error] a\nb\n'),
        headers: { 'X-Scenario-ID': id, ...headers },
      });
      expect(response.status, response.text).to.equal(200);
      expect(levelsOf(response.body.results)).to.equal('error -');
      expect(await hoursOf(id)).to.deep.equal({ '2026-03-05T10': 2 });
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

  describe('with join=trace', () => {
    const trace = [
      '2026-03-05 10:00:00 ERROR request failed',
      'java.lang.IllegalStateException: closed',
      ...Array.from({ length: 50 }, (_, index) => `\tat com.example.Shop.pay(Shop.java:${index})`),
      'Caused by: java.io.IOException: reset',
      '\t... 12 more',
      '',
      'Retrying',
      '2026-03-05 11:00:00 INFO request served',
    ];

    it('lines are joined to the entry that they continue', async () => {
      for (const end of ['\n', '\r\n']) {
        const { id, response } = await send(trace.join(end) + end, '?join=trace&answer=full');
        expect(levelsOf(response.body.results)).to.equal('ERROR INFO');
        const joined = trace.slice(0, -1).join(end);
        expect(response.body.results[0].message_hash).to.equal(sha256(joined));
        expect(response.body.results[0].size_bytes).to.equal(Buffer.byteLength(joined));
        expect(await hoursOf(id)).to.deep.equal({ '2026-03-05T10': 1, '2026-03-05T11': 1 });
      }
    });

    it('joined lines are counted as entries, and blank lines between entries are skipped', async () => {
      const { response } = await send('a\n\n b\n\nc\n\n', '?join=trace');
      expect(response.body).to.deep.equal({
        accepted: 2,
        rejected: 0,
        skipped: 2,
        timed: 0,
        usage_unread: 0,
        errors: [],
      });
    });

    it('lines of a text without times are not joined, unless they begin as a continuation', async () => {
      const text = `a\nb\n c\nCaused by: d\n... 3 more\n--- End of inner exception ---\n${'e\n'.repeat(200)}`;
      const { response } = await send(`${text}2026-03-05 10:00:00 f\ng\n`, '?join=trace');
      expect(response.body.accepted).to.equal(2 + 200 + 2);
    });

    it('lines are joined up to 64 KiB', async () => {
      const text = `2026-03-05 10:00:00 a\n${`${'x'.repeat(1023)}\n`.repeat(100)}`;
      const { id, response } = await send(text, '?join=trace&answer=full');
      const sizes = response.body.results.map((result: { size_bytes: number }) => result.size_bytes);
      expect(sizes).to.deep.equal([21 + 63 * 1024, 37 * 1024 - 1]);
      expect(await hoursOf(id)).to.deep.equal({ '2026-03-05T10': 2 });
    });

    it('lines are not joined by default', async () => {
      const { response } = await send(`${trace.join('\n')}\n`, '');
      expect(response.body.accepted).to.equal(trace.length - 1);
    });
  });
});
