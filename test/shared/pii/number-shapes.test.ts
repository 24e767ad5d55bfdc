import { expect } from 'chai';
import { characters } from '../../../shared/pii/characters.ts';
import type { NationalId } from '../../../shared/pii/national-ids.ts';
import { groupKey, ShapeTree } from '../../../shared/pii/number-shapes.ts';

const { DIGIT, LETTER, UNDERSCORE } = characters;

/** The key and the separator of a group such as `-6`, or ` 2a` of letters. */
function readGroup(group: string): [key: number, separator: number] {
  const [, separator = '', length, kind] = /^(\D?)(\d+)(a?)$/u.exec(group)!;
  return [groupKey(Number(length), kind === 'a' ? LETTER : DIGIT), separator.codePointAt(0) ?? 0];
}

describe('the tree of shapes', () => {
  const targeted = (target: number, shapes: Record<string, readonly string[]>) => ({
    id: { shapes, check: () => 1 } as unknown as NationalId,
    target,
  });
  const ids = [
    targeted(0, { free: ['2a 1a 6', '3-2+4', '19'], keyword: ['9 9', '19'] }),
    targeted(1, { own: ['9 9'] }),
  ];
  const tree = new ShapeTree(ids, true);
  const shapeOf = (...groups: string[]) =>
    tree.shapes[groups.reduce((node, group) => tree.next(node, ...readGroup(group)), 0)];

  it('knows which groups follow groups of letters', () => {
    const follow = [' 6', ' 1a', '+6', '-6', '2a', '-2', '+4', ' 9', ' 20', '\u20286', '\u00806'];
    expect(follow.filter((group) => tree.canFollowLetters(...readGroup(group)))).to.deep.equal([' 6', ' 1a', '+6']);
  });

  it('has each shape once, with its schemes and what they need', () => {
    const needsOf = (...groups: string[]) =>
      shapeOf(...groups)?.rules.map(({ target, needsKeyword, needsOwnKeyword }) => [
        target,
        needsKeyword,
        needsOwnKeyword,
      ]);
    expect(needsOf('19')).to.deep.equal([[0, false, false]]);
    expect(shapeOf('19')).to.include({ length: 19, card: 'standard', hasLetters: false, rulesNeedKeyword: false });
    expect(needsOf('9', ' 9')).to.deep.equal([
      [0, true, false],
      [1, true, true],
    ]);
    expect(needsOf('9', '+9')).to.deep.equal(needsOf('9', ' 9'));
    expect(shapeOf('9', '+9')).to.include({ length: 18, separators: '+', card: 'none', rulesNeedKeyword: true });
    expect(shapeOf('2a', ' 1a', ' 6')).to.include({ hasLetters: true });
    expect(['20', '3-2-4', '20a'].map((group) => shapeOf(...group.split(/(?=-)/u)))).to.deep.equal(
      Array(3).fill(undefined),
    );
    expect(groupKey(3, DIGIT | UNDERSCORE)).to.equal(-1);
    expect(new ShapeTree(ids, false).shapes.map((shape) => shape?.card ?? 'none')).not.to.include('standard');
  });
});
