import { expect } from 'chai';
import { createNotebookFixture, startOpenNotebook } from '../../support/notebook-backends.ts';
import { expectError } from '../../support/requests.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { faultsInOrder, path, testConformance } from './conformance.ts';

describe('the Open Notebook backend', () => {
  const fixture = createNotebookFixture('open-notebook', startOpenNotebook, { NOTEBOOK_DEADLINE_MS: '6000' });
  testConformance(fixture);

  it('does not treat a 404 to a change as an absent notebook', async () => {
    const { id } = await fixture.create();
    fixture.backend.fake.isDatabaseUnreachable = true;
    const changed = await fixture.service.request('PATCH', `${path}/${id}`, { body: { title: 'changed' } });
    expectError(changed, 502, 'UPSTREAM_ERROR');
    expect(changed.text).not.to.contain('/var/lib');
    expectError(await fixture.service.request('DELETE', `${path}/${id}`), 502, 'UPSTREAM_ERROR');
    fixture.backend.fake.isDatabaseUnreachable = false;
    // These failures may have opened the circuit; the workers' probe closes it.
    const remove = async () => (await fixture.service.request('DELETE', `${path}/${id}`)).status === 204;
    await waitUntil('the delete to succeed', remove);
  });

  it('retries a change that fails with 404 although the notebook exists', async () => {
    const { id } = await fixture.create();
    fixture.proxy.faultFor = faultsInOrder({ status: 404, body: '{"detail": "Notebook not found"}' });
    const changed = await fixture.service.request('PATCH', `${path}/${id}`, { body: { title: 'changed' } });
    expect(changed.body.data.title).to.equal('changed');
  });

  it('hides the ids of Open Notebook and the id that the service adds to the description', async () => {
    const { id, description } = await fixture.create({ description: 'mine' });
    expect(description).to.equal('mine');
    const [row] = [...fixture.backend.fake.rows.values()].filter((found) => found.description.includes(id));
    expect(row?.description).to.equal(`mine\n[meterbook:${id}]`);
    const read = await fixture.service.request('GET', `${path}/${id}`);
    expect(read.body.data.description).to.equal('mine');
    expect(read.text).not.to.contain('notebook:');
  });

  it('shows changes made in Open Notebook, and does not list notebooks created there', async () => {
    const { id } = await fixture.create();
    const row = [...fixture.backend.fake.rows.values()].find(({ description }) => description.includes(id));
    if (row) row.name = 'renamed in Open Notebook';
    fixture.backend.fake.rows.set('notebook:x', {
      ...(row as NonNullable<typeof row>),
      id: 'notebook:x',
      description: '',
    });
    const { items, pagination } = (await fixture.service.request('GET', `${path}?limit=100`)).body.data;
    expect(items[0]).to.include({ id, title: 'renamed in Open Notebook' });
    expect(pagination.total)
      .to.equal(items.length)
      .and.to.equal(fixture.backend.fake.rows.size - 1);
  });
});
