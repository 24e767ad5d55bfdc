import { readdir, readFile } from 'node:fs/promises';
import { expect } from 'chai';
import type { TextOptions } from '../../../../shared/ingest/reading/read-text.ts';
import { readBody } from '../../../support/read-body.ts';
import logFiles from './log-files.json' with { type: 'json' };

/** Logs by form; `log-files.json` has their entries by hour, and the levels of these. */
const folder = new URL('log-files/', import.meta.url);

const read = (text: string | Uint8Array, options: Partial<TextOptions> = {}) => readBody(text, 'text', options);

/** Entries by hour, such as `03-05T10`; those without a time under `arrival`. */
function hoursOf({ valid }: Awaited<ReturnType<typeof read>>): Record<string, number> {
  const hours: Record<string, number> = {};
  for (const { timestamp } of valid) {
    const hour = timestamp === undefined ? 'arrival' : new Date(timestamp).toISOString().slice(5, 13);
    hours[hour] = (hours[hour] ?? 0) + 1;
  }
  return hours;
}

const messagesOf = ({ valid }: Awaited<ReturnType<typeof read>>) => valid.map(({ message }) => message);
const levelsOf = ({ valid }: Awaited<ReturnType<typeof read>>) => valid.map(({ level = '-' }) => level).join(' ');

describe('lines of text', () => {
  it('lines have their hour and their level, in every form that has a file here', async () => {
    expect((await readdir(folder)).sort()).to.deep.equal(Object.keys(logFiles));
    for (const [name, { hours, levels }] of Object.entries(logFiles)) {
      const text = await readFile(new URL(name, folder), 'utf8');
      const list = await read(text);
      expect([name, levelsOf(list)]).to.deep.equal([name, levels]);
      expect(messagesOf(list), name).to.deep.equal(text.trimEnd().split('\n'));
      expect(hoursOf(list), name).to.deep.equal(hours);
    }
  });

  it('lines without a time have that of the line before them, the first ones that of arrival', async () => {
    const list = await read('banner\n2026-03-05 10:00:00 ERROR a\n\tat b\n\nc\n2026-03-05 11:00:00 INFO d\ne\n');
    expect(list).to.include({ blank: 1, timed: 2 });
    expect(hoursOf(list)).to.deep.equal({ arrival: 1, '03-05T10': 3, '03-05T11': 2 });
  });

  it('lines have the time of arrival and no level with time=arrival', async () => {
    const list = await read('2026-03-05 10:00:00 ERROR a\n', { time: 'arrival' });
    expect([list.timed, hoursOf(list), levelsOf(list)]).to.deep.equal([0, { arrival: 1 }, '-']);
  });

  it('lines that name no zone have that of the request', async () => {
    const text = '2026-03-08 01:30:00 a\n2026-03-08 02:30:00 b\n2026-03-08 03:30:00 c\n2026-03-08 09:30:00Z d\n';
    expect(hoursOf(await read(text, { zone: 'America/New_York' }))).to.deep.equal({
      '03-08T06': 1,
      '03-08T07': 2,
      '03-08T09': 1,
    });
  });

  it('bytes that are not UTF-8 are replaced, and a byte order mark is left out', async () => {
    expect(messagesOf(await read(Buffer.from('caf\xe9\n', 'latin1')))).to.deep.equal(['caf\ufffd']);
    expect(messagesOf(await read('\ufeffGrüße €\r\n'))).to.deep.equal(['Grüße €']);
  });

  describe('with join=trace', () => {
    const join = 'trace';
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
        const list = await read(trace.join(end) + end, { join });
        expect(levelsOf(list)).to.equal('ERROR INFO');
        expect(messagesOf(list)[0]).to.equal(trace.slice(0, -1).join(end));
        expect(hoursOf(list)).to.deep.equal({ '03-05T10': 1, '03-05T11': 1 });
      }
      expect((await read(trace.join('\n'))).valid).to.have.length(trace.length - 1);
    });

    it('blank lines between entries are skipped', async () => {
      const list = await read('a\n\n b\n\nc\n\n', { join });
      expect([messagesOf(list), list.blank]).to.deep.equal([['a\n\n b', 'c'], 2]);
    });

    it('lines of a text without times are not joined, unless they begin as a continuation', async () => {
      const text = `a\nb\n c\nCaused by: d\n... 3 more\n--- End of inner exception ---\n${'e\n'.repeat(200)}`;
      const list = await read(`${text}2026-03-05 10:00:00 f\ng\n`, { join });
      expect(list.valid).to.have.length(2 + 200 + 2);
    });

    it('lines are joined up to 64 KiB', async () => {
      const text = `2026-03-05 10:00:00 a\n${`${'x'.repeat(1023)}\n`.repeat(100)}`;
      const list = await read(text, { join });
      expect(messagesOf(list).map(({ length }) => length)).to.deep.equal([21 + 63 * 1024, 37 * 1024 - 1]);
      expect(hoursOf(list)).to.deep.equal({ '03-05T10': 2 });
    });
  });
});

describe('lines of container runtimes', () => {
  it('joins the parts of CRI, as bytes, and takes time and stream from the prefix', async () => {
    const [start, end] = [Buffer.from('naïve ').subarray(0, 3), Buffer.from('naïve ').subarray(3)];
    const text = Buffer.concat([
      Buffer.from('2026-05-01T10:59:59.669794202Z stdout P '),
      start,
      Buffer.from('\n2026-05-01T11:00:00Z stderr F other stream\n2026-05-01T13:00:00.1+02:00 stdout F:tag:k=v '),
      end,
      Buffer.from('to 4111 1111 1111 1111\n2026-05-01T11:00:00.5Z stdout F \n2026-05-01T11:00:01Z stderr P open end'),
    ]);
    const list = await read(text);
    expect(messagesOf(list)).to.deep.equal(['naïve to 4111 1111 1111 1111', 'other stream', 'open end']);
    expect(list.valid.map(({ source }) => source)).to.deep.equal(['stdout', 'stderr', 'stderr']);
    expect(hoursOf(list)).to.deep.equal({ '05-01T10': 1, '05-01T11': 2 });
    expect(list).to.include({ timed: 3, blank: 1 });
  });

  it('reads records in JSON inside of CRI like others', async () => {
    const record = {
      level: 'error',
      msg: 'llm call',
      service: 'cart',
      usage: { prompt_tokens: 10, completion_tokens: 3 },
      time: '2020-01-01T00:00:00Z',
    };
    const nested = `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`;
    const list = await read(
      `2026-05-01T10:00:00Z stdout F ${JSON.stringify(record)}\n2026-05-01T10:00:00Z stdout F ${nested}\n`,
    );
    expect(list.valid[0]).to.deep.include({
      message: 'llm call',
      level: 'error',
      source: 'cart',
      usage: { input_tokens: 10, output_tokens: 3 },
      timestamp: Date.UTC(2026, 4, 1, 10),
    });
    expect(list.valid[1]).to.include({ message: nested, source: 'stdout' });
  });

  it('joins stack traces inside of CRI, and parts up to 256 KiB', async () => {
    const prefix = (second: number, tag = 'F') => `2026-05-01T10:00:${String(second).padStart(2, '0')}Z stdout ${tag} `;
    const trace = `${prefix(1)}2026-05-01 10:00:01 ERROR a\n${prefix(2)}\tat b\n${prefix(3)}Caused by: c\n${prefix(4)}2026-05-01 10:00:04 d\n`;
    expect(messagesOf(await read(trace, { join: 'trace' }))).to.deep.equal([
      '2026-05-01 10:00:01 ERROR a\n\tat b\nCaused by: c',
      '2026-05-01 10:00:04 d',
    ]);
    const mixed = `${prefix(1, 'P')}first \nplain\n${prefix(2)}second\n\tcontinued\n\tmore\n`;
    expect(messagesOf(await read(mixed, { join: 'trace' }))).to.deep.equal([
      'first second',
      'plain\n\tcontinued\n\tmore',
    ]);
    expect(messagesOf(await read(`${prefix(1, 'P')}a\r\n${prefix(2)}b\r\n`))).to.deep.equal(['a\rb']);
    const part = `${prefix(5, 'P')}${'x'.repeat(16_384)}\n`;
    expect(messagesOf(await read(part.repeat(20)))).to.deep.equal(['x'.repeat(256 * 1024), 'x'.repeat(4 * 16_384)]);
  });

  const docker = (log: string, stream = 'stdout', more = {}) =>
    `${JSON.stringify({ log, stream, ...more, time: '2026-05-01T10:00:00.123456789Z' })}\n`;

  it('joins parts of Docker where another line of the stream has an end', async () => {
    const body = [
      docker('first part, '),
      docker('of stderr', 'stderr'),
      docker('the end\n'),
      docker('{"level":"warn","msg":"inside"}\n', 'stdout', { attrs: { tag: 'a' } }),
      docker('also stderr', 'stderr'),
    ].join('');
    const list = await readBody(body, 'lines');
    expect(messagesOf(list)).to.have.members(['also stderr', 'first part, the end\n', 'inside', 'of stderr']);
    expect(list.valid.find(({ message }) => message === 'inside')).to.include({ level: 'warn', source: 'stdout' });
  });

  it('joins records of log shippers by their tags only', async () => {
    const kubernetes = { pod_name: 'cart-1', container_name: 'cart' };
    const tagged = [
      { log: 'a1 ', stream: 'stdout', _p: 'P', kubernetes },
      { log: 'b', stream: 'stdout', _p: 'F', kubernetes: { pod_name: 'mail-1' } },
      { log: 'a2', stream: 'stdout', _p: 'F', kubernetes },
      { message: 'c1 ', stream: 'stderr', logtag: 'P' },
      { message: 'c2', stream: 'stderr', logtag: 'F' },
      { log: 'without an end', stream: 'stdout', kubernetes, time: '2026-05-01T10:00:00Z' },
      { log: 'with an end\n', stream: 'stdout', kubernetes, time: '2026-05-01T10:00:00Z' },
    ];
    const list = await readBody(JSON.stringify(tagged), 'values');
    expect(messagesOf(list)).to.have.members(['a1 a2', 'b', 'c1 c2', 'with an end\n', 'without an end']);
    expect(list.valid.find(({ message }) => message === 'a1 a2')).to.include({ source: 'cart' });
  });
});
