import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { generatedTexts, updatedText } from '../../../scripts/docs/generated-texts.ts';

describe('the generated documentation', () => {
  for (const generated of generatedTexts) {
    const { path, section } = generated;
    it(`the documentation is up to date in ${path}${section === undefined ? '' : `, section ${section}`}`, async () => {
      const present = readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
      expect(present, 'run `npm run docs`').to.equal(await updatedText(generated, present));
    });
  }

  it('replaces a section of a file and keeps the rest', async () => {
    const table = { path: 'README.md', section: 'table', render: () => '| new |\n' };
    const page = (text: string) => `# Title\n\n<!-- table:start -->\n${text}<!-- table:end -->\n\nThe rest.\n`;
    const updated = await updatedText(table, page('| old |\n'));
    expect(updated).to.equal(page('\n| new |\n\n'));
    expect(await updatedText(table, updated)).to.equal(updated);
    expect(await updatedText(table, page(''))).to.equal(updated);
  });

  it('refuses a file without the markers of its section', async () => {
    const table = { path: 'README.md', section: 'table', render: () => '' };
    for (const text of ['', '<!-- table:start -->\n', '<!-- table:end -->\n<!-- table:start -->\n']) {
      const refusal = await updatedText(table, text).catch((error: unknown) => error);
      expect((refusal as Error).message).to.equal(
        'README.md lacks the lines <!-- table:start --> and <!-- table:end -->.',
      );
    }
  });
});
