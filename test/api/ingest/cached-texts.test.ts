import { expect } from 'chai';
import { CachedTexts } from '../../../api/ingest/cached-texts.ts';

describe('cached texts', () => {
  it('cached texts are written once per kind and number', () => {
    const texts = new CachedTexts(100);
    const written: string[] = [];
    const ofKind = (kind: string) =>
      texts.ofKind(kind, (number) => {
        written.push(`${kind} ${number}`);
        return `text of ${kind} ${number}`;
      });
    for (const kind of ['a', 'b', 'a', 'b']) {
      for (const number of [1, 2]) expect(ofKind(kind)(number)).to.equal(`text of ${kind} ${number}`);
    }
    expect(written).to.deep.equal(['a 1', 'a 2', 'b 1', 'b 2']);
    expect(texts.size).to.equal(6);
  });

  it('cached texts never exceed their limit, whether kinds or numbers differ, and are right after a new start', () => {
    const texts = new CachedTexts(10);
    for (let number = 0; number < 100; number += 1) {
      expect(texts.ofKind('a', String)(number)).to.equal(String(number));
      expect(texts.ofKind(`kind ${number}`, (value) => `${number}/${value}`)(1)).to.equal(`${number}/1`);
      expect(texts.size).to.be.within(1, 10);
    }
    const inUse = texts.ofKind('a', String);
    for (let number = 0; number < 100; number += 1) expect(inUse(number)).to.equal(String(number));
    expect(texts.size).to.be.within(1, 10);
  });
});
