import { expect } from 'chai';
import { faultsInOrder } from '../../support/faulty-proxy.ts';
import { createNotebookFixture, startOpenNotebook } from '../../support/notebook-backends.ts';
import { expectError } from '../../support/requests.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { path, testConformance, testRejectedToken } from './conformance.ts';

describe('notebooks on Open Notebook', () => {
  testConformance('open-notebook', startOpenNotebook);
  testRejectedToken('open-notebook', startOpenNotebook);

  describe('with its ways', () => {
    const all = createNotebookFixture('open-notebook', startOpenNotebook, { NOTEBOOK_DEADLINE_MS: '5000' });

    it('takes no 404 of a change for a notebook that is gone', async () => {
      const { id } = await all.create();
      all.backend.fake.isDatabaseUnreachable = true;
      const changed = await all.service.request('PATCH', `${path}/${id}`, { body: { title: 'changed' } });
      expectError(changed, 502, 'UPSTREAM_ERROR');
      expect(changed.text).not.to.contain('/var/lib');
      expectError(await all.service.request('DELETE', `${path}/${id}`), 502, 'UPSTREAM_ERROR');
      all.backend.fake.isDatabaseUnreachable = false;
      // So many failures may have opened the circuit; the workers' probe closes it.
      const remove = async () => (await all.service.request('DELETE', `${path}/${id}`)).status === 204;
      await waitUntil('the delete to be done', remove);
    });

    it('asks again when a change fails by 404 and the notebook is there', async () => {
      const { id } = await all.create();
      all.proxy.faultFor = faultsInOrder({ status: 404, body: '{"detail": "Notebook not found"}' });
      const changed = await all.service.request('PATCH', `${path}/${id}`, { body: { title: 'changed' } });
      expect(changed.body.data.title).to.equal('changed');
    });

    it('shows neither its ids nor our mark', async () => {
      const { id, description } = await all.create({ description: 'mine' });
      expect(description).to.equal('mine');
      const [row] = [...all.backend.fake.rows.values()].filter((found) => found.description.includes(id));
      expect(row?.description).to.equal(`mine\n[meterbook:${id}]`);
      const read = await all.service.request('GET', `${path}/${id}`);
      expect(read.body.data.description).to.equal('mine');
      expect(read.text).not.to.contain('notebook:');
    });

    it('shows what was changed there, and does not list what others have put there', async () => {
      const { id } = await all.create();
      const row = [...all.backend.fake.rows.values()].find(({ description }) => description.includes(id));
      if (row) row.name = 'renamed over there';
      all.backend.fake.rows.set('notebook:x', {
        ...(row as NonNullable<typeof row>),
        id: 'notebook:x',
        description: '',
      });
      const { items, pagination } = (await all.service.request('GET', `${path}?limit=100`)).body.data;
      expect(items[0]).to.include({ id, title: 'renamed over there' });
      expect(pagination.total)
        .to.equal(items.length)
        .and.to.equal(all.backend.fake.rows.size - 1);
    });
  });
});
