import { expect } from 'chai';
import { timestampOf } from '../../../scripts/demo/log-timestamp.ts';

describe('the timestamp at the beginning of a log line', () => {
  it('is read from ISO 8601 and similar formats, by default in UTC', () => {
    const formats: Record<string, string> = {
      '2026-05-01T10:20:30Z GET /': '2026-05-01T10:20:30.000Z',
      '2026-05-01T10:20:30.123456789Z stdout F x': '2026-05-01T10:20:30.123Z',
      '2015-07-29 17:41:44,747 - INFO  [QuorumPeer]': '2015-07-29T17:41:44.747Z',
      '2026-05-01 10:20:30 +0200 text': '2026-05-01T08:20:30.000Z',
      '2026-05-01T10:20:30.5-05:30 text': '2026-05-01T15:50:30.500Z',
      '[2026-05-01T10:20:30Z] text': '2026-05-01T10:20:30.000Z',
      '2026-05-01 10:20:30': '2026-05-01T10:20:30.000Z',
    };
    for (const [line, expected] of Object.entries(formats)) expect(timestampOf(line), line).to.equal(expected);
  });

  it('is read from the formats of web servers', () => {
    const formats: Record<string, string> = {
      '[Sun Dec 04 04:47:44 2005] [notice] ready': '2005-12-04T04:47:44.000Z',
      '[Wed Oct 11 14:32:52.123456 2023] [core:error] x': '2023-10-11T14:32:52.123Z',
      '[Mon Jun  4 05:06:07 2018] [notice] started': '2018-06-04T05:06:07.000Z',
      '192.0.2.7 - jane [10/Oct/2000:13:55:36 -0700] "GET / HTTP/1.0" 200': '2000-10-10T20:55:36.000Z',
      '2001:db8::7 - jane doe [01/Mar/2024:00:10:00 +0530] "GET / HTTP/1.1" 200': '2024-02-29T18:40:00.000Z',
      'shop.example:80 192.0.2.7 - - [10/Oct/2000:13:55:36] "GET /"': '2000-10-10T13:55:36.000Z',
      '[10/Oct/2000:13:55:36 -0700] ready': '2000-10-10T20:55:36.000Z',
    };
    for (const [line, expected] of Object.entries(formats)) expect(timestampOf(line), line).to.equal(expected);
  });

  it('is in the latest year in which it is not in the future, if it has no year', () => {
    const now = new Date('2026-06-15T00:00:00Z');
    expect(timestampOf('Jun 14 15:16:01 host sshd: x', now)).to.equal('2026-06-14T15:16:01.000Z');
    expect(timestampOf('Dec 10 06:55:46 host sshd: x', now)).to.equal('2025-12-10T06:55:46.000Z');
    expect(timestampOf('Jun  4 15:16:01 host cron: x', now)).to.equal('2026-06-04T15:16:01.000Z');
    expect(timestampOf('Jun 15 00:00:00 host cron: x', now)).to.equal('2026-06-15T00:00:00.000Z');
    expect(timestampOf('Jun 15 00:00:01 host cron: x', now)).to.equal('2025-06-15T00:00:01.000Z');
    expect(timestampOf('Feb 29 10:00:00 host x: y', now)).to.equal('2024-02-29T10:00:00.000Z');
    const march = new Date('2025-03-01T00:00:00Z');
    expect(timestampOf('Feb 29 10:00:00 host x: y', new Date('2025-02-01T00:00:00Z'))).to.equal(
      '2024-02-29T10:00:00.000Z',
    );
    expect(timestampOf('Feb 28 10:00:00 host x: y', march)).to.equal('2025-02-28T10:00:00.000Z');
  });

  it('is undefined if there is none', () => {
    for (const line of [
      '',
      'Dec 10 6:55 no clock',
      'Foo 10 06:55:46 no month',
      '[Sun Feb 30 04:47:44 2005] no such day',
      'Feb 30 04:47:44 no such day',
      'Jun 00 04:47:44 no such day',
      'Dec 31 24:00:00 no such hour',
      '192.0.2.7 - - [31/Feb/2000:13:55:36 -0700] no such day',
      '192.0.2.7 - - [10/Oct/2000:13:55:36 +9900] no such zone',
      '192.0.2.7 - - [10/Oct/2000:24:00:00 -0700] no such hour',
      '[pid 7] [10/Oct/2000:13:55:36 -0700] not the first brackets',
      '2026-02-30T10:20:30+02:00 no such day',
      'at 2026-05-01T10:20:30Z',
      '2026-05-01',
      '2026-02-30T10:20:30Z no such day',
      '2026-13-01T10:20:30Z no such month',
      '2026-05-01T25:20:30Z no such hour',
      '2026-05-01T10:20:30+99:00 no such zone',
      '1969-12-31T23:59:59Z before the range of the service',
      '2100-01-01T00:00:00Z after the range of the service',
    ]) {
      expect(timestampOf(line), line).to.equal(undefined);
    }
  });
});
