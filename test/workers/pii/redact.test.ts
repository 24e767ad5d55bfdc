import { expect } from 'chai';
import { redactedPreview } from '../../../workers/pii/redact.ts';
import { createScanner } from '../../../workers/pii/scan-personal-data.ts';

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
