import { startHttpBackend } from '../../support/notebook-backends.ts';
import { testConformance, testRejectedToken, testTooLargeResponse } from './conformance.ts';

describe('the http backend', () => {
  testConformance('http', startHttpBackend);
  testRejectedToken('http', startHttpBackend);
  testTooLargeResponse('http', startHttpBackend);
});
