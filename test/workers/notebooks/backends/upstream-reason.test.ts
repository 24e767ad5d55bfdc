import { expect } from 'chai';
import { extractErrorMessage, sanitizeReason } from '../../../../workers/notebooks/backends/upstream-error.ts';

describe('the reason of an upstream failure', () => {
  it('a reason is on one line', () => {
    expect(sanitizeReason('  first\r\n\tsecond\u0000  third ')).to.equal('first second third');
  });

  it('has at most 300 characters, and no half of a surrogate pair', () => {
    expect(sanitizeReason('a'.repeat(300))).to.equal('a'.repeat(300));
    const cut = sanitizeReason('😀'.repeat(400));
    expect(Array.from(cut)).to.have.length(300);
    expect(cut.endsWith('😀…')).to.equal(true);
  });

  it('contains no paths of the server', () => {
    const cases: Record<string, string> = {
      'Unreadable Notebook: /home/jo/books/x.ipynb NotJSONError': 'Unreadable Notebook: [path] NotJSONError',
      "No such file: '/srv/my notebooks/a b.ipynb'": 'No such file: [path]',
      'at C:\\Users\\jo\\x.py, line 3': 'at [path], line 3',
      'see file:///etc/passwd now': 'see [path] now',
      'in ~/books/x': 'in [path]',
      'and/or 1/2 of https://example.com/docs': 'and/or 1/2 of https://example.com/docs',
    };
    for (const [text, expected] of Object.entries(cases)) expect(sanitizeReason(text), text).to.equal(expected);
  });

  it('contains no secrets', () => {
    const texts = [
      'Authorization: Bearer abcdef123456',
      'sent token s3cr3t-value-1',
      'password=s3cr3t-value-1&x=1',
      'api_key: "s3cr3t-value-1"',
      'mongodb://user:s3cr3t-value-1@host/db',
      'mine is s3cr3t-value-1',
    ];
    for (const text of texts) {
      const reason = sanitizeReason(text, ['s3cr3t-value-1']);
      expect(reason, text).not.to.contain('s3cr3t').and.not.to.contain('abcdef123456');
    }
  });

  it('is extracted from the formats of the backends', () => {
    expect(extractErrorMessage('{"code": "x", "message": "busy"}')).to.equal('busy');
    expect(extractErrorMessage('{"detail": "Invalid password"}')).to.equal('Invalid password');
    expect(extractErrorMessage('{"detail": [{"loc": ["body", "name"], "msg": "Field required"}]}')).to.equal(
      'body.name: Field required',
    );
    expect(extractErrorMessage('plain words')).to.equal('plain words');
    expect(extractErrorMessage('<html><body>nginx</body></html>')).to.equal('');
    expect(extractErrorMessage('{"message": {"$gt": ""}}')).to.equal('');
    expect(extractErrorMessage('null')).to.equal('');
  });

  it('is sanitized quickly, even if the text is hostile', () => {
    const started = performance.now();
    for (const part of ['/a', '"/', 'token ', '//', '= ', 'a:\\']) sanitizeReason(part.repeat(1_000_000));
    // The limit is generous: a pattern with quadratic time would take hours.
    expect(performance.now() - started).to.be.below(20_000);
  });
});
