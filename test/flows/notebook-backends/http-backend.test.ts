import { startHttpBackend } from '../../support/notebook-backends.ts';
import { conforms, refusesWrongToken } from './conformance.ts';

describe('notebooks on the http backend', () => {
  conforms('http', startHttpBackend);
  refusesWrongToken('http', startHttpBackend);
});
