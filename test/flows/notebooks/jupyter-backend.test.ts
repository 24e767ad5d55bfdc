import { expect } from 'chai';
import {
  createNotebookFixture,
  findJupyter,
  type RunningBackend,
  startJupyter,
} from '../../support/notebook-backends.ts';
import { expectError } from '../../support/requests.ts';
import { path, testConformance, testRejectedToken } from './conformance.ts';

describe('the Jupyter backend', () => {
  const command = findJupyter();
  if (command === undefined) {
    it.skip('(not run: jupyter-server is not installed; `apt-get install jupyter-server`)', () => {});
    return;
  }
  // One server for all, because its start is the dearest part.
  let running: RunningBackend;
  before(async () => {
    running = await startJupyter(command);
  });
  after(() => running.close());
  const start = async () => ({ ...running, close: async () => {} });
  testConformance('jupyter', start);
  testRejectedToken('jupyter', start);

  describe('without a token', () => {
    const { service } = createNotebookFixture('jupyter', () => startJupyter(command, ''));

    it('serves reads, and readiness names the cause of its refused changes before the first call', async () => {
      const ready = await service.request('GET', '/health/ready?for=all');
      expectError(ready, 503, 'SERVICE_UNAVAILABLE', ['notebook_backend']);
      expect(ready.body.error.details[0].error)
        .to.contain('cross-site')
        .and.to.contain('start Jupyter Server with a token');
      expect((await service.request('GET', path)).status).to.equal(200);
      const refused = await service.request('POST', path, { body: { title: 'Field notes' } });
      expectError(refused, 502, 'UPSTREAM_ERROR');
      expect(refused.body.error.message).to.contain("403: '_xsrf'").and.to.contain('start Jupyter Server with a token');
      expect(refused.headers.get('Retry-After')).to.equal(null);
    });
  });
});
