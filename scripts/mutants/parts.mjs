// The files that `npm run mutants` changes, and the tests that are to notice it. These start no
// servers, because each change runs those of them that reach it: `tests` are of pure code, `also`
// those that use a driver without one.
const cost = [
  'assumed-output',
  'entry-cost',
  'model-prices',
  'money',
  'monthly-usage',
  'price-month',
  'projection',
  'scenario-cost',
  'service-cost',
  'what-if',
];
const usage = [
  'active-seconds',
  'add-rows',
  'hour-usage',
  'periods',
  'queue-requests',
  'stored-hour',
  'usage',
  'usage-tally',
];
/**
 * The files that decide on a finding. Words, labels and their search, and the forms of characters
 * are not changed.
 */
const pii = [
  'checks',
  'email-address',
  'non-personal-label',
  'number-context',
  'number-evaluator',
  'number-reader',
  'number-shapes',
  'number-surroundings',
  'payment-card',
  'redact',
  'scan-personal-data',
];

export const parts = {
  pricing: {
    mutate: [`shared/cost/{${cost.join(',')}}.ts`],
    tests: /^test\/shared\/cost\/[^/]+$/,
  },
  usage: {
    mutate: [`shared/usage/{${usage.join(',')}}.ts`],
    tests: /^test\/shared\/usage\/(?!read-usage)/,
  },
  idempotency: {
    mutate: ['api/http/idempotency-{key,store}.ts'],
    also: ['test/api/http/idempotency-key.test.ts'],
  },
  'personal-data': {
    mutate: [`shared/pii/{${pii.join(',')}}.ts`],
    // Without the test of all labels, which takes the longest.
    tests: /^test\/shared\/pii\/(?!labels)/,
  },
};
