import { startHttpBackend } from '../../support/notebook-backends.ts';
import { testConformance, testRejectedToken, testTooLargeAnswer } from './conformance.ts';

describe('the http backend', () => {
  testConformance('http', startHttpBackend);
  testRejectedToken('http', startHttpBackend);
  testTooLargeAnswer('http', startHttpBackend);
});
