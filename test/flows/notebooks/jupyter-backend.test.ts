import { findJupyter, startJupyter } from '../../support/notebook-backends.ts';
import { testConformance, testRejectedToken, testTooLargeResponse } from './conformance.ts';

describe('the Jupyter backend', () => {
  const command = findJupyter();
  if (command === undefined) {
    it.skip('(not run: jupyter-server is not installed; `apt-get install jupyter-server`)', () => {});
    return;
  }
  const start = () => startJupyter(command);
  testConformance('jupyter', start);
  testRejectedToken('jupyter', start);
  testTooLargeResponse('jupyter', start);
});
