import { expect } from 'chai';
import { markdownTable } from '../../../scripts/docs/markdown-table.ts';

describe('a Markdown table', () => {
  it('aligns its columns and escapes what would end a cell', () => {
    expect(
      markdownTable(
        ['name', 'a'],
        [
          ['`x`', 'one | two'],
          ['longer', ''],
        ],
      ),
    ).to.equal(
      [
        '| name   | a          |\n',
        '| ------ | ---------- |\n',
        '| `x`    | one \\| two |\n',
        '| longer |            |\n',
      ].join(''),
    );
  });
});
