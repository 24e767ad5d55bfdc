// The configuration of Stryker. `scripts/mutants.mjs` names the part.
import check from '../../.mocharc.check.mjs';
import { parts } from './parts.mjs';

const { mutate, tests, also = [] } = parts[process.env.MUTANTS_OF];
const pure = tests ? check.spec.filter((file) => tests.test(file)) : [];

export default {
  plugins: ['@stryker-mutator/mocha-runner'],
  testRunner: 'mocha',
  mochaOptions: { spec: [...pure, ...also], 'no-config': true },
  testRunnerNodeArgs: ['--import', 'tsx/esm'],
  mutate,
  coverageAnalysis: 'perTest',
  // Values that are computed when a module is loaded would need a new process for each mutant.
  ignoreStatic: true,
  concurrency: 1,
  reporters: ['progress-append-only', 'clear-text'],
  clearTextReporter: { allowColor: false, logTests: false },
  // Stryker would read the file with TypeScript 7, which has no API for it.
  tsconfigFile: 'none',
  tempDirName: '.stryker-tmp',
  thresholds: { high: 90, low: 90, break: null },
};
