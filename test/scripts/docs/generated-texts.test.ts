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
});
