import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { backendToken, createNotebookFixture, findJupyter, startJupyter } from '../../support/notebook-backends.ts';
import { expectError } from '../../support/requests.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { faultsInOrder, path, testConformance } from './conformance.ts';

const newFolder = 'Meterbook/notes ü';

describe('the Jupyter backend', () => {
  const command = findJupyter();
  if (command === undefined) {
    it.skip('(not run: jupyter-server is not installed; `apt-get install jupyter-server`)', () => {});
    return;
  }
  const fixture = createNotebookFixture('jupyter', () => startJupyter(command), {
    NOTEBOOK_DEADLINE_MS: '8000',
    NOTEBOOK_BACKEND_FOLDER: newFolder,
  });
  const { service, create } = fixture;
  const inRoot = (name: string) => join(fixture.backend.folder, name);
  const inFolder = (name: string) => join(fixture.backend.folder, newFolder, name);
  const read = (id: string) => service.request('GET', `${path}/${id}`);
  const patch = (id: string, body: object) => service.request('PATCH', `${path}/${id}`, { body });
  const remove = (id: string) => service.request('DELETE', `${path}/${id}`);
  const listedIds = async () => {
    const response = await service.request('GET', `${path}?limit=100`);
    expect(response.status, response.text).to.equal(200);
    return response.body.data.items.map(({ id }: { id: string }) => id) as string[];
  };

  /**
   * The files that contain a notebook, relative to the root of the server. Jupyter keeps
   * checkpoints in hidden folders.
   */
  const filesOf = async (id: string): Promise<string[]> => {
    const found = [];
    for (const name of await readdir(fixture.backend.folder, { recursive: true })) {
      if (!name.endsWith('.ipynb') || name.includes('.ipynb_checkpoints')) continue;
      const text = await readFile(inRoot(name), 'utf8');
      if (text.includes(id) || name.includes(id)) found.push(name);
    }
    return found;
  };
  const expectFile = async (id: string, name: string) =>
    expect(await filesOf(id)).to.deep.equal([`${newFolder}/${name}`]);

  testConformance(fixture);

  it('files are in the folder, are named after the title, contain the id and name a kernel of the server', async () => {
    const { id } = await create({ title: 'Sales: 2026/05 "draft" 😀', description: 'd' });
    await expectFile(id, 'Sales- 2026-05 draft 😀.ipynb');
    const { metadata } = JSON.parse(await readFile(inFolder('Sales- 2026-05 draft 😀.ipynb'), 'utf8'));
    expect(metadata).to.deep.include({ title: 'Sales: 2026/05 "draft" 😀', description: 'd', meterbook: { id } });
    const headers = { Authorization: `token ${backendToken}` };
    const response = await fetch(`${fixture.backend.url}/api/kernelspecs`, { headers });
    const { kernelspecs } = (await response.json()) as {
      kernelspecs: Record<string, { spec: Record<string, string> }>;
    };
    const { name } = metadata.kernelspec;
    const { display_name, language } = kernelspecs[name]?.spec ?? {};
    expect(metadata.kernelspec).to.deep.equal({ name, display_name, language });
  });

  it('files have different names if their titles are equal, also in another case', async () => {
    const titles = ['Same', 'Same', 'same', 'Same'];
    const made = await Promise.all(titles.map((title) => create({ title })));
    const names = new Set<string>();
    for (const { id, title } of made) {
      const [file, ...others] = await filesOf(id);
      expect(others).to.deep.equal([]);
      expect(file).to.match(/^Meterbook\/notes ü\/same(?: \([\da-f]{8}\))?\.ipynb$/i);
      names.add(file ?? '');
      expect((await read(id)).body.data).to.include({ id, title });
    }
    expect(names.size).to.equal(4);
    expect([...names].filter((name) => name.endsWith('/Same.ipynb'))).to.have.length(1);
  });

  it('files are renamed with the title, never over another file', async () => {
    await writeFile(inFolder('Of a person.ipynb'), 'anything');
    const { id } = await create({ title: 'First' });
    expect((await patch(id, { title: 'Second' })).status).to.equal(200);
    await expectFile(id, 'Second.ipynb');
    expect((await patch(id, { title: 'Of a person' })).status).to.equal(200);
    await expectFile(id, `Of a person (${id.slice(0, 8)}).ipynb`);
    expect(await readFile(inFolder('Of a person.ipynb'), 'utf8')).to.equal('anything');
    expect((await patch(id, { title: 'Third', description: 'too' })).body.data).to.include({ title: 'Third' });
    await expectFile(id, 'Third.ipynb');
    expect((await patch(id, { description: 'only' })).status).to.equal(200);
    await expectFile(id, 'Third.ipynb');
    expect((await read(id)).body.data).to.include({ title: 'Third', description: 'only' });
  });

  it('files keep their names while a session has them open', async () => {
    const { id } = await create({ title: 'Open' });
    const sessions = JSON.stringify([{ path: `${newFolder}/Open.ipynb` }]);
    fixture.proxy.faultFor = (_method, url) =>
      url.startsWith('/api/sessions') ? { status: 200, body: sessions } : undefined;
    expect((await patch(id, { title: 'Still open' })).body.data.title).to.equal('Still open');
    await expectFile(id, 'Open.ipynb');
  });

  it('files are found after a person has renamed or moved them', async () => {
    const { id } = await create({ title: 'Wanderer' });
    await mkdir(inRoot('archive/2026'), { recursive: true });
    await rename(inFolder('Wanderer.ipynb'), inFolder('My name.ipynb'));
    expect(await listedIds()).to.include(id);
    expect((await read(id)).body.data).to.include({ id, title: 'Wanderer' });
    // A name that a person gave is kept.
    expect((await patch(id, { title: 'Changed' })).body.data.title).to.equal('Changed');
    await expectFile(id, 'My name.ipynb');
    for (const [from, to] of [
      [inFolder('My name.ipynb'), inRoot('archive/2026/My name.ipynb')],
      [inRoot('archive/2026/My name.ipynb'), inRoot('top.ipynb')],
    ] as const) {
      await rename(from, to);
      expect((await read(id)).body.data).to.include({ title: 'Changed' });
      expect(await listedIds()).to.include(id);
    }
    fixture.proxy.received.length = 0;
    expect((await read(id)).status).to.equal(200);
    // The new path is remembered.
    expect(fixture.proxy.received).to.have.length(1);
    await rename(inRoot('top.ipynb'), inRoot('archive/last.ipynb'));
    expect((await remove(id)).status).to.equal(204);
    expect(await filesOf(id)).to.deep.equal([]);
    expectError(await read(id), 404, 'NOT_FOUND');
  });

  it('files that a person has removed are absent, and another file of that name is not touched', async () => {
    const { id } = await create({ title: 'Replaced' });
    const other = JSON.stringify({ nbformat: 4, nbformat_minor: 5, metadata: {}, cells: [] });
    await writeFile(inFolder('Replaced.ipynb'), other);
    expectError(await read(id), 404, 'NOT_FOUND');
    expectError(await patch(id, { title: 'Mine' }), 404, 'NOT_FOUND');
    expectError(await remove(id), 404, 'NOT_FOUND');
    expect(await readFile(inFolder('Replaced.ipynb'), 'utf8')).to.equal(other);
    const removed = await create({ title: 'Removed' });
    await rm(inFolder('Removed.ipynb'));
    expect(await listedIds()).not.to.include(removed.id);
    expectError(await read(removed.id), 404, 'NOT_FOUND');
  });

  it('files are created again with their folder if a person has removed it', async () => {
    await rename(inRoot('Meterbook'), inRoot('moved away'));
    const { id } = await create({ title: 'In a new folder' });
    await expectFile(id, 'In a new folder.ipynb');
  });

  it('a file is named by a later attempt if the first one was interrupted before', async () => {
    fixture.proxy.faultFor = faultsOfMethod('PATCH', 'reset');
    const { id } = await create({ title: 'Interrupted' });
    await expectFile(id, 'Interrupted.ipynb');
    fixture.proxy.faultFor = (method) => (method === 'PATCH' ? { status: 500 } : undefined);
    const unnamed = await create({ title: 'Cannot be named' });
    fixture.proxy.faultFor = () => undefined;
    await expectFile(unnamed.id, `${unnamed.id}.ipynb`);
    expect((await patch(unnamed.id, { title: 'Named now' })).status).to.equal(200);
    await expectFile(unnamed.id, 'Named now.ipynb');
  });

  for (const [when, method] of [
    ['before it was named', 'PUT'],
    ['after it was named', 'PATCH'],
  ] as const) {
    it(`the files of an abandoned create are removed (${when})`, async () => {
      // A Retry-After beyond the deadline, so that the service gives up at once.
      const busy = { status: 503, headers: { 'Retry-After': '3600' }, afterWork: true } as const;
      const title = `Abandoned ${when}`;
      fixture.proxy.faultFor = (requested, url) => (requested === method && url.includes('.ipynb') ? busy : undefined);
      expectError(await service.request('POST', path, { body: { title } }), 502, 'UPSTREAM_ERROR');
      fixture.proxy.faultFor = () => undefined;
      const leftovers = async () => {
        const texts = (await readdir(inFolder('')))
          .filter((name) => name.endsWith('.ipynb'))
          .map((name) => readFile(inFolder(name), 'utf8'));
        return (await Promise.all(texts)).filter((text) => text.includes(title)).length;
      };
      expect(await leftovers()).to.equal(1);
      await promoteDiscards();
      expect(await leftovers()).to.equal(0);
    });
  }

  it('a file that an attempt writes after another one has succeeded is removed', async () => {
    fixture.proxy.faultFor = faultsOfMethod('PATCH', 'reset after work');
    const { id } = await create({ title: 'Late' });
    await writeFile(inFolder(`${id}.ipynb`), await readFile(inFolder('Late.ipynb')));
    await promoteDiscards();
    await expectFile(id, 'Late.ipynb');
    expect((await read(id)).body.data).to.include({ id, title: 'Late' });
  });

  it('files keep their cells when title and description change, the numbers digit by digit', async () => {
    const { id } = await create({ title: 'Numbers' });
    const file = inFolder('Numbers.ipynb');
    const numbers =
      '{"big": 12345678901234567890, "far": -Infinity, "none": NaN, "small": 1e-07, "text": "7.0", "whole": 1.0}';
    const cell = `{"cell_type": "code", "id": "c1", "metadata": {}, "source": [], "execution_count": 1,
        "outputs": [{"output_type": "display_data", "metadata": {}, "data": {"application/json": ${numbers}}}]}`;
    await writeFile(file, (await readFile(file, 'utf8')).replace('"cells": []', `"cells": [${cell}]`));
    for (const body of [{ title: 'Digits' }, { description: 'too' }]) {
      const changed = await patch(id, body);
      expect(changed.status, changed.text).to.equal(200);
    }
    expect((await read(id)).body.data).to.include({ title: 'Digits', description: 'too' });
    const [found] = /\{\s*"big"[^}]*\}/.exec(await readFile(inFolder('Digits.ipynb'), 'utf8')) ?? [];
    expect(found?.replaceAll(/\s/g, '')).to.equal(numbers.replaceAll(' ', ''));
  });

  /** A fault for the first request of a method. */
  function faultsOfMethod(method: string, fault: 'reset' | 'reset after work') {
    const next = faultsInOrder(fault);
    return (requested: string) => (requested === method ? next() : undefined);
  }

  async function promoteDiscards(): Promise<void> {
    const { queue } = service.app.queues['notebook-calls'];
    for (const { id = '' } of await queue.getJobs(['delayed'])) {
      if (!id.startsWith('discard-')) continue;
      await (await queue.getJob(id))?.promote();
      await waitUntil('the discard', async () => (await queue.getJob(id))?.finishedOn !== undefined);
    }
  }
});
