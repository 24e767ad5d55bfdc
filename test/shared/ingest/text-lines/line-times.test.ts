import { expect } from 'chai';
import { LineTimes } from '../../../../shared/ingest/text-lines/line-times.ts';
import { timeFormats } from '../../../../shared/ingest/text-lines/time-formats.ts';
import { openTimeZone, utc } from '../../../../shared/ingest/text-lines/time-zone.ts';

const now = Date.UTC(2026, 10, 23, 6);

function timeOf(line: string, zone = 'UTC'): string | null {
  const time = new LineTimes(openTimeZone(zone) ?? utc, now).read(line);
  return time === undefined ? null : new Date(time).toISOString();
}

/** A line, and its time in UTC. */
type Lines = readonly (readonly [string, string | null])[];

function itReads(what: string, lines: Lines, zone?: string): void {
  it(what, () => {
    for (const [line, expected] of lines) {
      const full = expected === null ? null : new Date(expected).toISOString();
      expect([line, timeOf(line, zone)]).to.deep.equal([line, full]);
    }
  });
}

describe('the times of lines', () => {
  it('times are read in the form of every example of the table', () => {
    for (const { example } of timeFormats) {
      for (const line of [`${example} started`, `[${example}] started`, example]) {
        expect(timeOf(line), line).to.be.a('string');
      }
    }
  });

  itReads('times are read as ISO 8601, with every separator, fraction and zone', [
    ['2026-05-01T12:00:00Z started', '2026-05-01T12:00:00Z'],
    ['2026-05-01t12:00:00z started', '2026-05-01T12:00:00Z'],
    ['2026-05-01 12:00:00 started', '2026-05-01T12:00:00Z'],
    ['2026-05-01T12:00:00.1+02:00 started', '2026-05-01T10:00:00.1Z'],
    ['2026-05-01T12:00:00,123456789-0730 started', '2026-05-01T19:30:00.123Z'],
    ['2026-05-01 12:00:00,123 +02 started', '2026-05-01T10:00:00.123Z'],
    ['2026-05-01 12:00:00 - started', '2026-05-01T12:00:00Z'],
    ['2026-05-01T12:00+02:00 started', '2026-05-01T10:00:00Z'],
    ['20260501T120000.5Z started', '2026-05-01T12:00:00.5Z'],
    ['2005-06-03-15.42.50.675872 R02-M1 RAS KERNEL INFO parity error', '2005-06-03T15:42:50.675Z'],
  ]);

  itReads('times are read as syslog writes them, in both forms', [
    ['Jun 14 15:16:01 combo sshd[19939]: check pass', '2026-06-14T15:16:01Z'],
    ['<34>Oct 11 22:14:15 mymachine su: failed', '2026-10-11T22:14:15Z'],
    ['<13>Jul  1 09:00:55 host kernel[0]: wake', '2026-07-01T09:00:55Z'],
    ['Jun 14 2025 15:16:01 asa : %ASA-6-302013', '2025-06-14T15:16:01Z'],
    ['<165>1 2003-10-11T22:14:15.003Z host app - ID47 - text', '2003-10-11T22:14:15.003Z'],
  ]);

  itReads('times are read as web servers write them', [
    ['127.0.0.1 - frank [10/Oct/2000:13:55:36 -0700] "GET / HTTP/1.0" 200 2326', '2000-10-10T20:55:36Z'],
    ['shop.example:443 2001:db8::1 - - [01/May/2026:12:00:00 +0000] "GET /"', '2026-05-01T12:00:00Z'],
    ['[Sun Dec 04 04:47:44 2005] [notice] workerEnv.init() ok', '2005-12-04T04:47:44Z'],
    ['[Fri Sep 09 10:42:29.902022 2011] [core:error] [pid 35708] client denied', '2011-09-09T10:42:29.902Z'],
    ['2026/05/01 12:00:00 [error] 31#31: *1 open() failed', '2026-05-01T12:00:00Z'],
    ['01-May-2026 12:00:00.123 INFO [main] org.apache.catalina.startup', '2026-05-01T12:00:00.123Z'],
  ]);

  itReads('times are read as logging libraries write them', [
    ['2026-05-01 12:00:00,123 INFO  [main] c.e.App: log4j', '2026-05-01T12:00:00.123Z'],
    ['2026-05-01 12:00:00.123 [main] INFO c.e.App -- logback', '2026-05-01T12:00:00.123Z'],
    ['2026-05-01 12:00:00,123 - root - WARNING - Python', '2026-05-01T12:00:00.123Z'],
    ['2026/05/01 12:00:00.123456 main.go:12: Go', '2026-05-01T12:00:00.123Z'],
    ['time=2026-05-01T12:00:00.5Z level=INFO msg="slog of Go"', '2026-05-01T12:00:00.5Z'],
    ['I0512 23:58:22.431545       1 main.go:12] klog', '2026-05-12T23:58:22.431Z'],
    ['May 1, 2026 12:30:00 AM org.example.App main', '2026-05-01T00:30:00Z'],
    ['May 1, 2026 1:30:00 PM org.example.App main', '2026-05-01T13:30:00Z'],
    ['E, [2026-05-01T12:00:00.123456 #42] ERROR -- : Ruby', '2026-05-01T12:00:00.123Z'],
  ]);

  itReads('times are read as databases write them', [
    ['2026-05-01 12:00:00.123 UTC [42] LOG:  PostgreSQL', '2026-05-01T12:00:00.123Z'],
    ['2026-05-01 12:00:00.123 CEST [42] LOG:  PostgreSQL', '2026-05-01T10:00:00.123Z'],
    ['2026-05-01T12:00:00.123456Z 0 [Note] MySQL', '2026-05-01T12:00:00.123Z'],
    ['260501 12:00:00 [Note] old MySQL', '2026-05-01T12:00:00Z'],
    ['260501  9:00:00 [Note] old MySQL', '2026-05-01T09:00:00Z'],
    ['1234:M 01 May 2026 12:00:00.123 * Redis', '2026-05-01T12:00:00.123Z'],
    ['2026-05-01T12:00:00.123+0000 I NETWORK  [listener] old MongoDB', '2026-05-01T12:00:00.123Z'],
    ['{"t":{"$date":"2026-05-01T12:00:00.123+00:00"},"s":"I","msg":"MongoDB"}', '2026-05-01T12:00:00.123Z'],
  ]);

  itReads('times are read as Android, Spark, Hadoop and Proxifier write them', [
    ['03-17 16:13:38.811  1702  2395 D WindowManager: text', '2026-03-17T16:13:38.811Z'],
    ['17/06/09 20:10:40 INFO executor.Backend: text', '2017-06-09T20:10:40Z'],
    ['98/06/09 20:10:40 INFO executor.Backend: text', '1998-06-09T20:10:40Z'],
    ['081109 203615 148 INFO dfs.DataNode: text', '2008-11-09T20:36:15Z'],
    ['[10.30 16:49:06] chrome.exe - text', '2026-10-30T16:49:06Z'],
    ['20171223-22:15:29:606|Step_LSC|30002312|text', '2017-12-23T22:15:29.606Z'],
  ]);

  itReads('times are read as epochs of every unit', [
    ['1785000000 text', '2026-07-25T17:20:00Z'],
    ['1785000000.123 text', '2026-07-25T17:20:00.123Z'],
    ['[1785000000123] text', '2026-07-25T17:20:00.123Z'],
    ['1785000000123456 text', '2026-07-25T17:20:00.123Z'],
    ['1785000000123456789 text', '2026-07-25T17:20:00.123Z'],
    ['type=SYSCALL msg=audit(1364481363.243:24287): text', '2013-03-28T14:36:03.243Z'],
    ['- 1117838570 2005.06.03 R02-M1 2005-06-03-15.42.50.675872 text', '2005-06-03T22:42:50Z'],
    ['1785000000123 is not read with a digit more: 17850000001234', '2026-07-25T17:20:00.123Z'],
    ['17850000001 text', null],
    ['1785000000-12 text', null],
    ['order 1785000000 paid', null],
  ]);

  itReads('times are read behind what precedes them, where a word begins', [
    ['nova-api.log.1.2017-05-16_13:53:08 2017-05-16 00:00:00.008 25746 INFO text', '2017-05-16T00:00:00.008Z'],
    ['/var/log/app.log:42:2026-05-01 12:00:00 text', '2026-05-01T12:00:00Z'],
    ['web-1  | 2026-05-01 12:00:00 text', '2026-05-01T12:00:00Z'],
    ['\u001b[32m2026-05-01 12:00:00\u001b[0m text', '2026-05-01T12:00:00Z'],
    ['\ufeff2026-05-01 12:00:00 text', '2026-05-01T12:00:00Z'],
    ['INFO [main] (2026-05-01 12:00:00) text', '2026-05-01T12:00:00Z'],
    ['"2026-05-01 12:00:00","text"', '2026-05-01T12:00:00Z'],
    ['   2026-05-01 12:00:00 text', '2026-05-01T12:00:00Z'],
    ['v2026-05-01 12:00:00 text', null],
    ['\tat 2026-05-01 12:00:00 text', null],
    ['the order was placed at 2026-05-01 12:00:00', null],
    ['id=7 deadline=2026-05-01T12:00:00Z', null],
    [`${'#'.repeat(127)} 2026-05-01 12:00:00`, null],
  ]);

  itReads('times are whole: a date, and a time of day that exists', [
    ['2026-05-01 text', null],
    ['12:00:00.123 text', null],
    ['2026-02-29 12:00:00 text', null],
    ['2024-02-29 12:00:00 text', '2024-02-29T12:00:00Z'],
    ['2026-13-01 12:00:00 text', null],
    ['2026-05-01 24:00:00 text', null],
    ['2026-05-01 12:60:00 text', null],
    ['2026-05-01 12:00:61 text', null],
    ['2026-05-01 12:00:00rest', null],
    ['2026.05.01 2026-05-01 12:00:00 text', '2026-05-01T12:00:00Z'],
    ['2016-12-31T23:59:60Z a leap second', '2016-12-31T23:59:59.999Z'],
  ]);

  itReads('times without a year are the latest ones that are not more than a day ahead', [
    ['Nov 24 06:00:00 host text', '2026-11-24T06:00:00Z'],
    ['Nov 24 06:00:01 host text', '2025-11-24T06:00:01Z'],
    ['Feb 29 12:00:00 host text', '2024-02-29T12:00:00Z'],
    ['Feb 30 12:00:00 host text', null],
    ['12-31 23:59:59.999  1  2 I Tag: text', '2025-12-31T23:59:59.999Z'],
  ]);

  itReads('no times are read before 1990 and more than a day ahead', [
    ['1989-12-31 23:59:59 text', null],
    ['1990-01-01 00:00:00 text', '1990-01-01T00:00:00Z'],
    ['0001-01-01 00:00:00 text', null],
    ['2026-11-24 06:00:00 text', '2026-11-24T06:00:00Z'],
    ['2026-11-24 06:00:01 text', null],
    ['1970-01-01 00:00:00 text', null],
  ]);

  itReads(
    'times without a zone are those of the given zone, also where its clocks are changed',
    [
      ['2026-01-15 12:00:00 winter', '2026-01-15T17:00:00Z'],
      ['2026-07-15 12:00:00 summer', '2026-07-15T16:00:00Z'],
      ['2026-03-08 01:59:59 before the gap', '2026-03-08T06:59:59Z'],
      ['2026-03-08 02:30:00 in the gap', '2026-03-08T07:30:00Z'],
      ['2026-03-08 03:00:00 behind the gap', '2026-03-08T07:00:00Z'],
      ['2026-11-01 01:30:00 twice, so the first one', '2026-11-01T05:30:00Z'],
      ['2026-11-01 02:00:00 behind both', '2026-11-01T07:00:00Z'],
      ['2026-07-15 12:00:00 +0200 with a zone', '2026-07-15T10:00:00Z'],
      ['1785000000 is UTC', '2026-07-25T17:20:00Z'],
    ],
    'America/New_York',
  );

  itReads(
    'times in a zone of half hours are exact, and the year begins there earlier',
    [
      ['2026-10-04 02:15:00 in a gap of 30 minutes', '2026-10-03T15:45:00Z'],
      ['2026-06-15 12:00:00 winter', '2026-06-15T01:30:00Z'],
    ],
    'Australia/Lord_Howe',
  );

  it('lines of any characters are read in a bounded time', () => {
    const times = new LineTimes(utc, now);
    const pieces = [':', '":', 'a=', '1 ', 'J ', '[2026-05-01 12:00:61 ', 'Feb 30 12:00:00 ', '\u001b[', ' ', '9'];
    for (const piece of pieces) {
      const short = piece.repeat(Math.ceil(200 / piece.length));
      const long = piece.repeat(5_000_000 / piece.length);
      expect(times.read(long), piece).to.equal(times.read(short));
      const startedAt = process.cpuUsage();
      for (let round = 0; round < 100; round += 1) times.read(long);
      const { user, system } = process.cpuUsage(startedAt);
      // Reading all of the characters once takes more.
      expect((user + system) / 1000, piece).to.be.below(500);
    }
  });
});
