// mocha adds the files of its command line to those of its configuration: named files would never run alone.
const namesFiles = process.argv.slice(2).some((argument) => argument.endsWith('.test.ts'));

export default {
  spec: namesFiles ? [] : ['test/**/*.test.ts', 'packages/*/test/**/*.test.ts'],
  require: ['test/support/global-setup.ts'],
  extension: ['ts'],
  'node-option': ['import=tsx'],
  'forbid-only': true,
  timeout: 60_000,
};
