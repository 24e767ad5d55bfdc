import { expect } from 'chai';
import { timestampOf } from '../../../scripts/demo/log-timestamp.ts';

describe('the timestamp at the beginning of a log line', () => {
  it('is read in its usual spellings, without a zone as UTC', () => {
    const spellings: Record<string, string> = {
      '2026-05-01T10:20:30Z GET /': '2026-05-01T10:20:30.000Z',
      '2026-05-01T10:20:30.123456789Z stdout F x': '2026-05-01T10:20:30.123Z',
      '2015-07-29 17:41:44,747 - INFO  [QuorumPeer]': '2015-07-29T17:41:44.747Z',
      '2026-05-01 10:20:30 +0200 text': '2026-05-01T08:20:30.000Z',
      '2026-05-01T10:20:30.5-05:30 text': '2026-05-01T15:50:30.500Z',
      '[2026-05-01T10:20:30Z] text': '2026-05-01T10:20:30.000Z',
      '2026-05-01 10:20:30': '2026-05-01T10:20:30.000Z',
    };
    for (const [line, expected] of Object.entries(spellings)) expect(timestampOf(line), line).to.equal(expected);
  });

  it('is not seen where there is none', () => {
    for (const line of [
      '',
      'Dec 10 06:55:46 LabSZ sshd[24200]: Invalid user',
      'at 2026-05-01T10:20:30Z',
      '2026-05-01',
      '2026-02-30T10:20:30Z no such day',
      '2026-13-01T10:20:30Z no such month',
      '2026-05-01T25:20:30Z no such hour',
      '2026-05-01T10:20:30+99:00 no such zone',
      '1969-12-31T23:59:59Z before what the service takes',
      '2100-01-01T00:00:00Z after what the service takes',
    ]) {
      expect(timestampOf(line), line).to.equal(undefined);
    }
  });
});
