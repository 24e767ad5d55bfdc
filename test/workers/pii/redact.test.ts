import { expect } from 'chai';
import { redact, redactedPreview } from '../../../workers/pii/redact.ts';
import { createScanner } from '../../../workers/pii/scan-personal-data.ts';

const scan = createScanner();

describe('redact', () => {
  it('redact replaces each finding with a placeholder', () => {
    const text = 'joe@example.com, 4111 1111 1111 1111, RSSMRA85T10A562S.';
    expect(redact(text, scan(text))).to.equal('[EMAIL], [PAYMENT_CARD], [NATIONAL_ID:IT].');
  });

  it('redact returns a text without findings unchanged', () => {
    expect(redact('nothing 123 here', [])).to.equal('nothing 123 here');
  });

  it('redact removes every digit of a finding, encoded digits included', () => {
    for (const text of ['4111%201111%201111%201111', '４１１１-1111-1111-1111', 'ssn 1\u00ad23-45-6789']) {
      expect(redact(text, scan(text)).replace(/^ssn /u, '')).to.match(/^\[[A-Z_:]+\]$/u);
    }
  });
});

describe('redactedPreview', () => {
  const text = 'a joe@example.com b';

  it('redactedPreview returns the beginning of the redacted text', () => {
    const whole = redact(text, scan(text));
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
