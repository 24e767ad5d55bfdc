// The files that `npm run mutants` changes, and the tests that are to notice it. These start no
// servers, because each change runs those of them that reach it.
const cost = [
  'assumed-output',
  'charge-line',
  'charge-lines',
  'entry-cost',
  'function-cost',
  'inference-cost',
  'money',
  'monthly-usage',
  'projection',
  'queue-cost',
  'scenario-cost',
  'service-cost',
  'tiers',
  'what-if',
];
const usage = [
  'active-seconds',
  'add-rows',
  'byte-sequence',
  'levels-of',
  'merge-levels',
  'packed-levels',
  'pending-level',
  'periods',
  'queue-requests',
  'usage',
  'usage-tally',
];

export const parts = {
  pricing: {
    mutate: [`shared/cost/{${cost.join(',')}}.ts`],
    tests: /^test\/shared\/cost\/[^/]+$/,
  },
  ledger: {
    mutate: [`shared/usage/{${usage.join(',')}}.ts`],
    tests: /^test\/shared\/usage\//,
  },
  'personal-data': {
    mutate: ['workers/pii/*.ts', 'shared/pii/checksums.ts'],
    tests: /^test\/(?:shared|workers)\/pii\//,
  },
};
