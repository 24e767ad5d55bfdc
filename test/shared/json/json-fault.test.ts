import { expect } from 'chai';
import fc from 'fast-check';
import { jsonFault } from '../../../shared/json/json-fault.ts';
import { parseJson } from '../../../shared/json/parse-json.ts';
import faults from './json-faults.json' with { type: 'json' };

describe('the error of a text that is not JSON', () => {
  for (const [text, error] of Object.entries(faults)) {
    it(`says where and why of ${JSON.stringify(text)}`, () => {
      expect(jsonFault(text)).to.equal(`must be valid JSON: ${error}`);
    });
  }

  it('has a position exactly if the text is not JSON', () => {
    const edit = fc.record({ at: fc.nat(60), removed: fc.nat(2), added: fc.string({ unit: letter, maxLength: 3 }) });
    fc.assert(
      fc.property(fc.json(), fc.array(edit, { maxLength: 3 }), (json, edits) => {
        const text = edits.reduce(
          (before, { at, removed, added }) => before.slice(0, at) + added + before.slice(at + removed),
          json,
        );
        expect(jsonFault(text).includes('column')).to.equal(parseJson(text) === undefined, JSON.stringify(text));
      }),
    );
  });

  it('counts from the start of the text that it is a part of', () => {
    const part = '{"a":1}\n{"é":2},';
    expect(jsonFault('{"b":}', part)).to.contain('line 2, column 14 has "}"');
    expect(jsonFault('{"b":\n}', part)).to.contain('line 3, column 1 has "}"');
  });

  it('has no position far behind, where finding it would take long', () => {
    for (const text of ['['.repeat(10_000_000), `"${'a'.repeat(10_000_000)}`, `[${'1,'.repeat(5_000_000)}]`]) {
      expect(jsonFault(text)).to.equal('must be valid JSON');
    }
  });
});

const letter = fc.constantFrom(...Array.from('{}[],:"\\ \n0123e.-truefalsnu'));
