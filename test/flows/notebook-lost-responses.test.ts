import { expect } from 'chai';
import { hour, minute } from '../../shared/durations.ts';
import { isLongForm } from '../support/long-form.ts';
import { createNotebookFixture, startHttpBackend } from '../support/notebook-backends.ts';

const path = '/api/v1/notebooks';

describe('notebooks on a backend that loses connections', () => {
  // With these limits, neither the circuit, the deadline nor the caller's limit of waiting requests
  // affects the test.
  const settings = { NOTEBOOK_DEADLINE_MS: String(minute) };
  const fixture = createNotebookFixture('http', startHttpBackend, settings, {
    circuitBreaker: { minFailureTime: hour },
    config: { maxWaitingRequests: 25 },
  });

  it('notebooks are created exactly once, although three of ten responses are lost after the work', async () => {
    const { service } = fixture;
    const title = (number: number) => `number ${number}`;
    const total = isLongForm ? 400 : 60;
    let reset = 0;
    let requests = 0;
    fixture.proxy.faultFor = () => {
      requests += 1;
      if (requests % 10 >= 3) return undefined;
      reset += 1;
      return 'reset after work';
    };
    let next = 0;
    const ids = new Set<string>();
    const client = async () => {
      while (next < total) {
        next += 1;
        const created = await service.request('POST', path, { body: { title: title(next) } });
        expect(created.status, created.text).to.equal(201);
        ids.add(created.body.data.id);
      }
    };
    await Promise.all(Array.from({ length: 25 }, client));
    fixture.proxy.faultFor = () => undefined;
    expect(reset).to.be.above(0.3 * total);
    expect(ids.size).to.equal(total);
    expect(await fixture.backend.count()).to.equal(total);
    expect(await service.app.models.notebook.countDocuments({})).to.equal(total);
    const titles = new Set<string>();
    for (let offset = 0; offset < total; offset += 100) {
      const { body } = await service.request('GET', `${path}?limit=100&offset=${offset}`);
      for (const item of body.data.items) titles.add(item.title);
    }
    expect(titles.size).to.equal(total);
  });
});
