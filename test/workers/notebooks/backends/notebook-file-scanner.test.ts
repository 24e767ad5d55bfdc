import { expect } from 'chai';
import { seededRandom } from '../../../../shared/seeded-random.ts';
import { NotebookFileScanner, sliceChunks } from '../../../../workers/notebooks/backends/jupyter-search.ts';
import { randomInteger } from '../../../support/random-choices.ts';

/** Scans the text in chunks that end at the positions. */
function scan(text: string, ends: number[] = [], maxMetadataBytes = 1000) {
  const bytes = Buffer.from(text);
  const cuts = [0, ...ends, bytes.length];
  const chunks = cuts.slice(1).map((end, index) => bytes.subarray(cuts[index], end));
  const scanner = new NotebookFileScanner(maxMetadataBytes);
  for (const chunk of chunks) scanner.push(chunk);
  const parts = scanner.finish();
  if (!parts) return undefined;
  const textOf = (range: { start: number; end: number }) => Buffer.concat(sliceChunks(chunks, range)).toString();
  expect(textOf(parts.metadata)).to.equal(parts.metadataJson);
  return { content: JSON.parse(textOf(parts.content)), metadata: JSON.parse(parts.metadataJson) };
}

describe('NotebookFileScanner', () => {
  it('finds the parts, however the text is divided', () => {
    const text =
      ' {"é": "}", "content" :\n {"metadata" : {"a\\"": [1, {"b": "\\\\"}]} , "cells": [{"metadata": 1}]} } ';
    const expected = JSON.parse(text).content;
    const { length } = Buffer.from(text);
    for (let first = 0; first <= length; first += 1) {
      for (let second = first; second <= length; second += 7) {
        expect(scan(text, [first, second])).to.deep.equal({ content: expected, metadata: expected.metadata });
      }
    }
  });

  it('finds the same parts as a parser in random documents', () => {
    const random = seededRandom(5);
    // Not a single backslash: JSON.parse of Node.js 24 mistakes other escaped keys for it
    // (github.com/nodejs/node/issues/63785).
    const keys = ['content', 'metadata', 'cells', '', 'metadata of a long name', '"', 'a\\b'];
    const build = (depth: number): unknown => {
      const kind = randomInteger(random, 0, depth > 3 ? 3 : 5);
      if (kind === 0) return randomInteger(random, -5, 5) / 2;
      if (kind === 1) return ['{"metadata": 1}', '\\"', 'é}],:', ''][randomInteger(random, 0, 3)];
      if (kind === 2) return null;
      if (kind === 3) return true;
      const items = Array.from({ length: randomInteger(random, 0, 4) }, () => build(depth + 1));
      if (kind === 4) return items;
      return Object.fromEntries(items.map((item) => [keys[randomInteger(random, 0, keys.length - 1)], item]));
    };
    let found = 0;
    for (let round = 0; round < 5000; round += 1) {
      const document = { first: build(1), content: build(1), last: build(1) };
      const { content } = document;
      const isObject = typeof content === 'object' && content !== null && !Array.isArray(content);
      const text = JSON.stringify(document, null, round % 3);
      const expected = isObject && 'metadata' in content ? { content, metadata: content['metadata'] } : undefined;
      if (expected) found += 1;
      expect(scan(text, [randomInteger(random, 0, text.length >> 1)], 100_000), text).to.deep.equal(expected);
    }
    expect(found).to.be.above(100);
  });

  it('uses the last of two equal keys, as a parser does', () => {
    const text = '{"content": {"metadata": {"a": 1}}, "content": {"metadata": {"a": 2}, "metadata": {"a": 3}}}';
    expect(scan(text)?.metadata).to.deep.equal({ a: 3 });
  });

  it('refuses what is not one JSON object', () => {
    for (const text of ['', ' ', '[]', '"content"', '{', '{"content": {}', '{"a": "', '{}{}', '{} x']) {
      expect(() => scan(text), text).to.throw(SyntaxError);
    }
  });

  it('refuses metadata above the limit', () => {
    const text = `{"content": {"metadata": {"a": "${'x'.repeat(100)}"}}}`;
    expect(scan(text, [], 109)?.metadata.a).to.have.length(100);
    expect(() => scan(text, [50, 60], 108)).to.throw(RangeError);
  });
});
