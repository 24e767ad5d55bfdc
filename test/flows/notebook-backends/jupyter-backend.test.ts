import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { createNotebookFixture, findJupyter, startJupyter } from '../../support/notebook-backends.ts';
import { expectError } from '../../support/requests.ts';
import { path, testConformance, testRejectedToken, testTooLargeAnswer } from './conformance.ts';

describe('the Jupyter backend', function () {
  this.timeout(90_000);
  const command = findJupyter();
  if (command === undefined) {
    it.skip('(not run: jupyter-server is not installed; `apt-get install jupyter-server`)', () => {});
    return;
  }
  const start = () => startJupyter(command);
  testConformance('jupyter', start);
  testRejectedToken('jupyter', start);
  testTooLargeAnswer('jupyter', start);

  describe('in particular', () => {
    const fixture = createNotebookFixture('jupyter', start, { NOTEBOOK_DEADLINE_MS: '5000' });

    it('keeps cells when title and description change', async () => {
      const { id } = await fixture.create();
      const file = join(fixture.backend.folder, `${id}.ipynb`);
      const written = JSON.parse(await readFile(file, 'utf8')) as { cells: object[]; metadata: object };
      const cell = {
        cell_type: 'code',
        id: 'c1',
        metadata: { tags: ['a'] },
        source: ['1 + 1'],
        outputs: [],
        execution_count: null,
      };
      await writeFile(
        file,
        JSON.stringify({ ...written, cells: [cell], metadata: { ...written.metadata, kernel: 'x' } }),
      );
      const changed = await fixture.service.request('PATCH', `${path}/${id}`, {
        body: { title: 'changed', description: 'd' },
      });
      expect(changed.status, changed.text).to.equal(200);
      const after = JSON.parse(await readFile(file, 'utf8'));
      expect(after.cells).to.have.length(1);
      expect(after.cells[0]).to.deep.include({ cell_type: 'code', id: 'c1', metadata: { tags: ['a'] } });
      expect([after.cells[0].source].flat().join('')).to.equal('1 + 1');
      expect(after.metadata).to.include({ title: 'changed', description: 'd', kernel: 'x' });
    });

    it('keeps the numbers in cells digit by digit', async () => {
      const { id } = await fixture.create();
      const file = join(fixture.backend.folder, `${id}.ipynb`);
      const numbers =
        '{"big": 12345678901234567890, "far": -Infinity, "none": NaN, "small": 1e-07, "text": "7.0", "whole": 1.0}';
      const cell = `{"cell_type": "code", "id": "c1", "metadata": {}, "source": [], "execution_count": 1,
        "outputs": [{"output_type": "display_data", "metadata": {}, "data": {"application/json": ${numbers}}}]}`;
      await writeFile(file, (await readFile(file, 'utf8')).replace('"cells": []', `"cells": [${cell}]`));
      for (const body of [{ title: 'changed' }, { description: 'too' }]) {
        const changed = await fixture.service.request('PATCH', `${path}/${id}`, { body });
        expect(changed.status, changed.text).to.equal(200);
      }
      expect((await fixture.service.request('GET', `${path}/${id}`)).body.data).to.include({
        title: 'changed',
        description: 'too',
      });
      const [found] = /\{\s*"big"[^}]*\}/.exec(await readFile(file, 'utf8')) ?? [];
      expect(found?.replaceAll(/\s/g, '')).to.equal(numbers.replaceAll(' ', ''));
    });

    it('reveals no paths of its server', async () => {
      const { id } = await fixture.create();
      await writeFile(join(fixture.backend.folder, `${id}.ipynb`), 'not a notebook');
      const read = await fixture.service.request('GET', `${path}/${id}`);
      expectError(read, 502, 'UPSTREAM_ERROR');
      expect(read.text).not.to.contain(fixture.backend.folder);
    });
  });
});
