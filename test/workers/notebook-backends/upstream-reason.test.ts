import { expect } from 'chai';
import { readableReason, saidBy } from '../../../workers/notebook-backends/upstream-reason.ts';

describe('the reason of a backend', () => {
  it('stands on one line', () => {
    expect(readableReason('  first\r\n\tsecond\u0000  third ')).to.equal('first second third');
  });

  it('has at most 300 characters, whole ones', () => {
    expect(readableReason('a'.repeat(300))).to.equal('a'.repeat(300));
    const cut = readableReason('😀'.repeat(400));
    expect(Array.from(cut)).to.have.length(300);
    expect(cut.endsWith('😀…')).to.equal(true);
  });

  it('holds no paths of the server', () => {
    const cases: Record<string, string> = {
      'Unreadable Notebook: /home/jo/books/x.ipynb NotJSONError': 'Unreadable Notebook: [path] NotJSONError',
      "No such file: '/srv/my notebooks/a b.ipynb'": 'No such file: [path]',
      'at C:\\Users\\jo\\x.py, line 3': 'at [path], line 3',
      'see file:///etc/passwd now': 'see [path] now',
      'in ~/books/x': 'in [path]',
      'and/or 1/2 of https://example.com/docs': 'and/or 1/2 of https://example.com/docs',
    };
    for (const [text, expected] of Object.entries(cases)) expect(readableReason(text), text).to.equal(expected);
  });

  it('holds no secrets', () => {
    const texts = [
      'Authorization: Bearer abcdef123456',
      'sent token s3cr3t-value-1',
      'password=s3cr3t-value-1&x=1',
      'api_key: "s3cr3t-value-1"',
      'mongodb://user:s3cr3t-value-1@host/db',
      'mine is s3cr3t-value-1',
    ];
    for (const text of texts) {
      const reason = readableReason(text, ['s3cr3t-value-1']);
      expect(reason, text).not.to.contain('s3cr3t').and.not.to.contain('abcdef123456');
    }
  });

  it('is what the body says, in its own format', () => {
    expect(saidBy('{"code": "x", "message": "busy"}')).to.equal('busy');
    expect(saidBy('{"detail": "Invalid password"}')).to.equal('Invalid password');
    expect(saidBy('{"detail": [{"loc": ["body", "name"], "msg": "Field required"}]}')).to.equal(
      'body.name: Field required',
    );
    expect(saidBy('plain words')).to.equal('plain words');
    expect(saidBy('<html><body>nginx</body></html>')).to.equal('');
    expect(saidBy('{"message": {"$gt": ""}}')).to.equal('');
    expect(saidBy('null')).to.equal('');
  });

  it('takes no longer for text that was made to be slow', () => {
    const started = performance.now();
    for (const part of ['/a', '"/', 'token ', '//', '= ', 'a:\\']) readableReason(part.repeat(1_000_000));
    // Takes a moment; a pattern that goes over megabytes again and again would hardly end.
    expect(performance.now() - started).to.be.below(20_000);
  });
});
