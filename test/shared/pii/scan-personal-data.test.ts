import { expect } from 'chai';
import { redactedPreview } from '../../../shared/pii/redact.ts';
import { createScanner } from '../../../shared/pii/scan-personal-data.ts';
import { ADVERSARIAL_SHAPES } from './adversarial-shapes.ts';
import { describeRows, scan } from './rows.ts';

describe('createScanner', () => {
  it('A scanner returns findings in order, without overlaps, with offsets in the given text', () => {
    const text = 'joe@example.com paid with 4111 1111 1111 1111, ssn 123-45-6789';
    expect(scan(text).map(({ type, start, end }) => [type, text.slice(start, end)])).to.deep.equal([
      ['email', 'joe@example.com'],
      ['payment_card', '4111 1111 1111 1111'],
      ['national_id', '123-45-6789'],
    ]);
  });

  it('A finding reports its country, the rule that decided, and a confidence', () => {
    expect(scan('RSSMRA85T10A562S')[0]).to.include({ country: 'IT', rule: 'checksum', scheme: 'it_cf' });
    expect(scan('pesel 44051401359')[0]).to.include({ country: 'PL', rule: 'context', scheme: 'pl_pesel' });
    expect(scan('123-45-6789')[0]).to.include({ country: 'US', rule: 'format', scheme: 'us_ssn' });
    expect(scan('joe@example.com')[0]).to.not.have.property('country');
    for (const text of ['RSSMRA85T10A562S', 'pesel 44051401359', '123-45-6789', 'a@example.com'])
      expect(scan(text)[0]?.confidence).to.be.within(0.5, 1);
  });

  it('A scanner detects only the configured kinds and countries', () => {
    const text = 'joe@example.com 4111111111111111=25121011000012345678 123-45-6789 RSSMRA85T10A562S';
    const types = (scanner: ReturnType<typeof createScanner>): string[] => scanner(text).map(({ scheme }) => scheme);
    expect(types(createScanner({ kinds: ['email'] }))).to.deep.equal(['email']);
    expect(types(createScanner({ kinds: ['payment_card'] }))).to.deep.equal(['visa']);
    expect(types(createScanner({ kinds: ['national_id'], countries: ['it'] }))).to.deep.equal(['it_cf']);
  });

  it('A scanner returns the same findings for the same text, regardless of the texts before it', () => {
    const texts = ['order 123456782', 'sin 123456782', '123456782', '身份证 x', 'ssn: 123456789', 'x'.repeat(5000)];
    const alone = texts.map((text) => createScanner()(text));
    expect(texts.map((text) => scan(text))).to.deep.equal(alone);
    expect([...texts].reverse().map((text) => scan(text))).to.deep.equal(alone.reverse());
  });

  it('A redacted text has no digit of an escaped number', () => {
    for (const text of [
      'card=4111%201111%201111%201111&x=1',
      '４１１１１１１１１１１１１１１１',
      'ssn=123%2D45%2D6789',
    ])
      expect(redactedPreview(text, scan(text), text.length)).to.not.match(/4111|6789|１|45/u);
  });

  it('The scanner accepts unpaired surrogates, incomplete escapes and lone separators', () => {
    const parts = '\ud800|%|%4|\\u00|&#|4111| |-|.|@|a|\u200b|ssn|(|AB|１|/|+|:|"'.split('|');
    let seed = 3;
    for (let round = 0; round < 3000; round++) {
      let text = '';
      for (let i = 0; i < 24; i++) {
        seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
        text += parts[(seed >>> 16) % parts.length];
      }
      let from = 0;
      for (const { start, end } of scan(text)) {
        expect(start, text).to.be.at.least(from);
        expect(end, text).to.be.above(start).and.at.most(text.length);
        from = end;
      }
    }
  });

  it('The scanner takes linear time for every adversarial text', () => {
    for (const { name, make } of ADVERSARIAL_SHAPES) {
      // A quadratic scan of one such text exceeds the time limit of the test many times over.
      const findings = scan(make(256 * 1024));
      // One assertion for each text, because assertions take longer than the scan.
      const isOrdered = findings.every(({ start, end }, i) => start >= (findings[i - 1]?.end ?? 0) && end > start);
      expect(isOrdered, name).to.equal(true);
    }
  });
});

describeRows('lines of ordinary logs without personal data', [
  [
    '2015-07-29 19:29:03,816 - WARN  [RecvWorker:188978561024:QuorumCnxManager$RecvWorker@765] - Interrupting SendWorker',
  ],
  ['Dec 10 09:12:57 LabSZ sshd[24589]: Failed password for root from 187.141.143.180 port 59080 ssh2'],
  ['[Sun Dec 04 20:32:37 2005] [notice] jk2_init() Found child 1998 in scoreboard slot 9'],
  ['trace=0af7651916cd43dd8448eb211c80319c span=b7ad6b7169203331 parent=00f067aa0ba902b7'],
  ['ts=1700000000 ms=1700000000123 us=1700000000123456 ns=1700000000123456789'],
  ['20261121103000 20261121T103000Z 2026-11-21T10:30:00.123456Z 26/11/21 10:30:00'],
  ['uuid 12345678-1234-4234-8234-123456789012 done'],
  ['snowflake 1541815603606036480 and 175928847299117063'],
  ['10.0.0.1:8080 2001:db8:85a3::8a2e:370:7334 00:1a:2b:3c:4d:5e 1.2.3.4/24'],
  ['Chrome/120.0.6099.109 Safari/537.36 v1.2.3-rc.4+build.5678'],
  ['call +1 415 555 2671 or (415) 555-2671 or 415-555-2671 or +48 601 123 456'],
  ['EUR 1.234.567,89 and $12,345,678.90 and 0.123456789012 and 1e10'],
  ['GET /a/b?id=1234567890&sig=9f86d081884c7d659a2feaa0c55ad015 HTTP/1.1" 200 5123 "-" "curl/8.4.0"'],
  ['at java.base/java.lang.Thread.run(Thread.java:1583) ~[?:?] @4f2b8a1c'],
  ['pod web-7d9f8c6b5-x2k4q on ip-10-0-12-34.ec2.internal restarted'],
  ['arn:aws:iam::123456789012:role/admin account 123456789012'],
  ['IBAN GB29 NWBK 6016 1331 9268 19 and DE89370400440532013000'],
  ['YWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXoxMjM0NTY3ODkw=='],
  ['UPS 1Z999AA10123456784 USPS 9400 1000 0000 0000 0000 00'],
  ['ISBN 978-3-16-148410-0 EAN 4006381333931 IMEI 490154203237518'],
  ['cpu  2255 34 2290 22625563 6290 127 456 0 0 0'],
  ['-1 -22 -333 1/2 3/4 16:9 1920x1080 100% 5°'],
  ['order 20260101-1234 invoice INV-2026-0001 ticket ABC-1234'],
]);
