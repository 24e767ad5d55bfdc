import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { generatedTexts, updatedText } from '../../../scripts/docs/generated-texts.ts';

describe('the generated documentation', () => {
  for (const generated of generatedTexts) {
    const { path, section } = generated;
    it(`is up to date in ${path}${section === undefined ? '' : `, section ${section}`}`, () => {
      const present = readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
      expect(present, 'run `npm run docs`').to.equal(updatedText(generated, present));
    });
  }

  it('replaces a section of a file and keeps the rest', () => {
    const table = { path: 'README.md', section: 'table', render: () => '| new |\n' };
    const page = (text: string) => `# Title\n\n<!-- table:start -->\n${text}<!-- table:end -->\n\nThe rest.\n`;
    const updated = updatedText(table, page('| old |\n'));
    expect(updated).to.equal(page('\n| new |\n\n'));
    expect(updatedText(table, updated)).to.equal(updated);
    expect(updatedText(table, page(''))).to.equal(updated);
  });

  it('refuses a file without the markers of its section', () => {
    const table = { path: 'README.md', section: 'table', render: () => '' };
    for (const text of ['', '<!-- table:start -->\n', '<!-- table:end -->\n<!-- table:start -->\n']) {
      expect(() => updatedText(table, text)).to.throw(
        'README.md lacks the lines <!-- table:start --> and <!-- table:end -->.',
      );
    }
  });
});
