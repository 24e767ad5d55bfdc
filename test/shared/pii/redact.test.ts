import { expect } from 'chai';
import type { Finding } from '../../../shared/pii/finding.ts';
import { redactedPreview } from '../../../shared/pii/redact.ts';
import { createScanner } from '../../../shared/pii/scan-personal-data.ts';

const scan = createScanner();

describe('redactedPreview', () => {
  const text = 'a joe@example.com b';

  it('redactedPreview replaces each finding with a placeholder', () => {
    const findings = 'joe@example.com, 4111 1111 1111 1111, RSSMRA85T10A562S.';
    expect(redactedPreview(findings, scan(findings), 100)).to.equal('[EMAIL], [PAYMENT_CARD], [NATIONAL_ID:IT].');
  });

  it('redactedPreview returns a text without findings unchanged', () => {
    expect(redactedPreview('nothing 123 here', [], 100)).to.equal('nothing 123 here');
  });

  it('redactedPreview removes every digit of a finding, encoded digits included', () => {
    for (const digits of ['4111%201111%201111%201111', '４１１１-1111-1111-1111', 'ssn 1\u00ad23-45-6789']) {
      const preview = redactedPreview(digits, scan(digits), 100);
      expect(preview.replace(/^ssn /u, '')).to.match(/^\[[A-Z_:]+\]$/u);
    }
  });

  it('redactedPreview returns the beginning of the redacted text', () => {
    const whole = 'a [EMAIL] b';
    for (let length = 0; length <= whole.length + 3; length++) {
      expect(redactedPreview(text, scan(text), length)).to.equal(whole.slice(0, length));
    }
  });

  it('redactedPreview counts code points and never splits a surrogate pair', () => {
    const faces = '😀😀joe@example.com😀';
    expect(redactedPreview(faces, scan(faces), 1)).to.equal('😀');
    expect(redactedPreview(faces, scan(faces), 3)).to.equal('😀😀[');
    expect(redactedPreview(faces, scan(faces), 100)).to.equal('😀😀[EMAIL]😀');
  });

  it('A preview contains no character of a finding that crosses the limit', () => {
    expect(redactedPreview(text, scan(text), 5)).to.equal('a [EM');
  });
});

describe('redactedPreview of unusual texts', () => {
  it('redactedPreview counts each unpaired surrogate as a character', () => {
    const rows: readonly [text: string, length: number, preview: string][] = [
      ['\ud83dabc', 2, '\ud83da'],
      ['\ud83d\ue000b', 1, '\ud83d'],
      ['\ud83d\ufb01b', 1, '\ud83d'],
      ['😀a\ude00b', 2, '😀a'],
      ['😀\ude00ab', 3, '😀\ude00a'],
      ['😀\udc00\udc00a', 2, '😀\udc00'],
      ['\u{10000}ab', 1, '\u{10000}'],
      ['\u{10ffff}ab', 2, '\u{10ffff}a'],
    ];
    expect(rows.map(([text, length]) => redactedPreview(text, [], length))).to.deep.equal(
      rows.map(([, , preview]) => preview),
    );
  });

  it('redactedPreview names no country for a national id without one', () => {
    const finding: Finding = {
      type: 'national_id',
      start: 3,
      end: 6,
      confidence: 1,
      rule: 'context',
      scheme: 'us_ssn',
    };
    expect(redactedPreview('id 123 ok', [finding], 100)).to.equal('id [NATIONAL_ID] ok');
  });
});
