import { startHttpBackend } from '../../support/notebook-backends.ts';
import { faultsOfOne, testConformance, testRejectedToken } from './conformance.ts';

describe('the http backend', () => {
  testConformance('http', startHttpBackend, faultsOfOne);
  testRejectedToken('http', startHttpBackend);
});
