// The tests of `npm test`, and with PURE_TESTS=1 those of `npm run check`, compiled by
// `scripts/test.mjs` into the folder COMPILED_TESTS.

import check from './.mocharc.check.mjs';
import all from './.mocharc.mjs';
import { compiledPath } from './scripts/compile-tests.mjs';

const { spec, require, ...shared } = process.env.PURE_TESTS === '1' ? check : all;
const compiled = (file) => compiledPath(process.env.COMPILED_TESTS, file);

export default {
  ...shared,
  spec: spec.map(compiled),
  // mocha would load a module without a name for an empty list.
  ...(require && { require: require.map(compiled) }),
  extension: ['js'],
  // Stack traces name the sources.
  'node-option': ['enable-source-maps'],
};
