import { expect } from 'chai';
import type { FolderEntry } from '../../../../workers/notebooks/backends/jupyter-contents.ts';
import { createNotebookSearch } from '../../../../workers/notebooks/backends/jupyter-search.ts';
import { NotebookAbsent, UpstreamError } from '../../../../workers/notebooks/backends/upstream-error.ts';

const created = '2026-05-01T12:00:00.000000Z';
const call = (signal = new AbortController().signal) => ({ requestId: 'r', signal, repeated: false });

/** Folders of a server by path. A notebook's id is its file's name, unless reading it fails. */
function createServer(folders: Record<string, Partial<FolderEntry>[]>) {
  const lists: string[] = [];
  const reads: string[] = [];
  const faults = { of: (_path: string): Error | undefined => undefined };
  const search = createNotebookSearch(
    {
      listFolder: async (folder) => {
        lists.push(folder);
        const entries = folders[folder];
        if (!entries) throw new NotebookAbsent('');
        return entries.map(({ name = '', ...rest }) => ({
          name,
          path: folder === '' ? name : `${folder}/${name}`,
          type: name.endsWith('.ipynb') ? 'notebook' : 'directory',
          last_modified: created,
          ...rest,
        }));
      },
    },
    async (path) => {
      reads.push(path);
      const fault = faults.of(path);
      if (fault) throw fault;
      return path.slice(path.lastIndexOf('/') + 1).replace('.ipynb', '');
    },
  );
  const find = async (id: string, near: string[] = [], notBefore = 0) =>
    (await search({ ids: new Set([id]), near, notBefore }, call())).get(id);
  return { folders, lists, reads, faults, search, find };
}

const files = (count: number, prefix = 'f') =>
  Array.from({ length: count }, (_, number) => ({ name: `${prefix}${number}.ipynb` }));

describe('the search for a notebook in Jupyter', () => {
  it('begins in the nearest folders, with the newest files', async () => {
    const server = createServer({
      '': [{ name: 'top.ipynb' }, { name: 'near' }, { name: 'far' }],
      near: [{ name: 'old.ipynb' }, { name: 'new.ipynb', last_modified: '2026-06-01T12:00:00.000000Z' }],
      far: [{ name: 'wanted.ipynb' }],
    });
    expect(await server.find('wanted', ['gone', 'near'])).to.equal('far/wanted.ipynb');
    expect(server.lists).to.deep.equal(['gone', 'near', '', 'far']);
    expect(server.reads).to.deep.equal(['near/new.ipynb', 'near/old.ipynb', 'top.ipynb', 'far/wanted.ipynb']);
  });

  it('reads a file once for each of its changes', async () => {
    const server = createServer({ '': files(10) });
    expect(await server.find('x')).to.equal(undefined);
    expect(await server.find('f3')).to.equal('f3.ipynb');
    expect(server.reads).to.have.length(10);
    server.folders[''] = [...files(9), { name: 'f9.ipynb', last_modified: '2026-06-01T12:00:00.000000Z' }];
    expect(await server.find('f9')).to.equal('f9.ipynb');
    expect(server.reads).to.have.length(11);
  });

  it('skips files from before, and hidden files and folders', async () => {
    const server = createServer({ '': [{ name: 'a.ipynb' }, { name: '.b.ipynb' }, { name: '.c' }], '.c': files(1) });
    expect(await server.find('a', [], Date.parse('2026-05-02'))).to.equal(undefined);
    expect(server.reads).to.deep.equal([]);
    expect(await server.find('x')).to.equal(undefined);
    expect(server.reads).to.deep.equal(['a.ipynb']);
    expect(server.lists).not.to.include('.c');
  });

  it('ends at its limits, and the next one continues', async () => {
    const many = createServer({ '': files(900) });
    expect(await many.find('f899')).to.equal(undefined);
    expect(many.reads).to.have.length(500);
    expect(await many.find('f899')).to.equal('f899.ipynb');
    expect(many.reads).to.have.length(900);

    const names = Array.from({ length: 300 }, (_, number) => ({ name: `d${number}` }));
    const wide = createServer({ '': names, ...Object.fromEntries(names.map(({ name }) => [name, []])) });
    expect(await wide.find('x')).to.equal(undefined);
    expect(wide.lists).to.have.length(100);

    const loop: Record<string, Partial<FolderEntry>[]> = {};
    for (let path = '', depth = 0; depth < 50; depth += 1, path = path === '' ? 'd' : `${path}/d`)
      loop[path] = [{ name: 'd' }];
    const deep = createServer(loop);
    expect(await deep.find('x')).to.equal(undefined);
    expect(deep.lists).to.have.length(9);

    const mebibyte = 1024 * 1024;
    const large = createServer({ '': files(10).map((file) => ({ ...file, size: 20 * mebibyte })) });
    expect(await large.find('f9')).to.equal(undefined);
    expect(large.reads).to.have.length(3);
  });

  it('fails with a server that fails, and skips a file that fails again', async () => {
    const server = createServer({ '': files(3) });
    const outage = new UpstreamError('it responded with 500', { retryable: true, outage: true });
    server.faults.of = (path) => (path === 'f1.ipynb' ? outage : undefined);
    for (const _ of [1, 2]) expect(await server.find('f2').catch((error: unknown) => error)).to.equal(outage);
    expect(await server.find('f2')).to.equal('f2.ipynb');
    server.faults.of = () => new UpstreamError('it responded with 400');
    server.folders[''] = files(2, 'unreadable');
    expect(await server.find('unreadable1')).to.equal(undefined);
  });

  it('a search that has no time left is not an outage', async () => {
    const server = createServer({ '': files(1) });
    const ended = new AbortController();
    ended.abort();
    server.faults.of = () => new UpstreamError('it gave no response in time', { retryable: true, outage: true });
    const error = await server.search({ ids: new Set(['f0']), near: [] }, call(ended.signal)).catch((e: unknown) => e);
    expect(error).to.be.instanceOf(UpstreamError).and.to.include({ retryable: true, outage: false });
  });
});
