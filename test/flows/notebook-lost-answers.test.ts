import { expect } from 'chai';
import { hour, minute } from '../../shared/durations.ts';
import { createNotebookFixture, startHttpBackend } from '../support/notebook-backends.ts';

const path = '/api/v1/notebooks';

describe('notebooks on a backend that loses connections', function () {
  this.timeout(300_000);
  // A machine under load makes failures last and calls slow: neither the circuit nor the deadline is the subject here.
  const settings = { NOTEBOOK_DEADLINE_MS: String(minute) };
  const all = createNotebookFixture('http', startHttpBackend, settings, { circuitBreaker: { minFailureTime: hour } });

  it('are created once, each of a thousand, also when every third answer is lost after the work', async () => {
    const { service } = all;
    const title = (number: number) => `number ${number}`;
    let reset = 0;
    let asked = 0;
    all.proxy.faultFor = () => {
      asked += 1;
      if (asked % 10 >= 3) return undefined;
      reset += 1;
      return 'reset after work';
    };
    let next = 0;
    const ids = new Set<string>();
    const client = async () => {
      while (next < 1000) {
        next += 1;
        const created = await service.request('POST', path, { body: { title: title(next) } });
        expect(created.status, created.text).to.equal(201);
        ids.add(created.body.data.id);
      }
    };
    await Promise.all(Array.from({ length: 25 }, client));
    all.proxy.faultFor = () => undefined;
    expect(reset).to.be.above(300);
    expect(ids.size).to.equal(1000);
    expect(await all.backend.count()).to.equal(1000);
    expect(await service.app.models.notebook.countDocuments({})).to.equal(1000);
    const titles = new Set<string>();
    for (let offset = 0; offset < 1000; offset += 100) {
      const { body } = await service.request('GET', `${path}?limit=100&offset=${offset}`);
      for (const item of body.data.items) titles.add(item.title);
    }
    expect(titles.size).to.equal(1000);
  });
});
