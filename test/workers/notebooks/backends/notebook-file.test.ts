import { expect } from 'chai';
import { NotebookFile } from '../../../../workers/notebooks/backends/jupyter-file.ts';

describe('the text of a notebook file', () => {
  const cells = String.raw`[{"big": 12345678901234567890, "one": 1.0, "not": [NaN, -Infinity], "text": "\\\"{,]\\", "metadata": {}}]`;
  const file = (metadata: string) =>
    ` {"name": "x \\" {", "content": {"cells": ${cells}, "metadata" : ${metadata} , "nbformat": 4}, "format": "json"}`;

  it('changed members of the metadata replace the old ones, and all other text stays as it is', () => {
    const read = new NotebookFile(file('{"title": "old", "widgets": {"n": 1e400}, "tags": []}'));
    expect(read.metadata('title')).to.equal('old');
    expect(read.metadata('description')).to.equal(undefined);
    const changed = read.contentWith({ title: 'a "new" one', description: null });
    const metadata = String.raw`{"widgets":{"n": 1e400},"tags":[],"title":"a \"new\" one","description":null}`;
    expect(changed).to.equal(`{"cells": ${cells}, "metadata" : ${metadata}, "nbformat": 4}`);
  });

  it('metadata can be empty', () => {
    expect(new NotebookFile(file('{ }')).contentWith({ title: 'x' })).to.contain('"metadata" : {"title":"x"}');
  });

  it('text that is no notebook, or ends early, is refused', () => {
    const noFiles = ['', '<html>', '[]', '{}', '{"content": null}', '{"content": {"cells": []}}'];
    const ended = [file('{"title": "x"}').slice(0, 60), '{"content": {"metadata": {"title": "x'];
    for (const text of [...noFiles, '{"content": {"metadata": []}}', ...ended])
      expect(() => new NotebookFile(text).contentWith({}), text).to.throw(SyntaxError);
    expect(() => new NotebookFile(file('{"title": }')).metadata('title')).to.throw(SyntaxError);
  });

  it('a long string is no problem', () => {
    const long = file('{"title": "x"}').replace('"one"', `"${'a\\"'.repeat(2_000_000)}"`);
    expect(new NotebookFile(long).metadata('title')).to.equal('x');
  });
});
