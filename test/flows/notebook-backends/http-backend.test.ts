import { startHttpBackend } from '../../support/notebook-backends.ts';
import { testConformance, testRejectedToken } from './conformance.ts';

describe('the http backend', () => {
  testConformance('http', startHttpBackend);
  testRejectedToken('http', startHttpBackend);
});
