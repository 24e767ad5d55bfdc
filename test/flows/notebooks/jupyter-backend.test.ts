import { isLongForm } from '../../support/long-form.ts';
import { findJupyter, type RunningBackend, startJupyter } from '../../support/notebook-backends.ts';
import { testConformance, testRejectedToken, testTooLargeResponse } from './conformance.ts';

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
  // Its limit is 64 MiB. The other backends have the same code, and a limit of 1 MiB.
  if (isLongForm) testTooLargeResponse('jupyter', start);
});
