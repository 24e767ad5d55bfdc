import { startHttpBackend } from '../../support/notebook-backends.ts';
import { faultsOfOne, testConformance, testRejectedToken, testTooLargeResponse } from './conformance.ts';

describe('the http backend', () => {
  testConformance('http', startHttpBackend, faultsOfOne);
  testRejectedToken('http', startHttpBackend);
  testTooLargeResponse('http', startHttpBackend);
});
