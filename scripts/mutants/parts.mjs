// The files that `npm run mutants` changes, and the tests that are to notice it. These start no
// servers, because each change runs those of them that reach it: `tests` are of pure code, `also`
// those that use a driver without one.
export const parts = {
  pricing: {
    mutate: ['shared/cost/{entry-cost,money,price-month,scenario-cost,token-price}.ts'],
    tests: /^test\/shared\/cost\/[^/]+$/,
  },
  usage: {
    mutate: ['shared/usage/{periods,queue-requests,stored-hour,usage-tally}.ts'],
    tests: /^test\/shared\/usage\/(?!read-usage)/,
  },
  idempotency: {
    mutate: ['api/http/idempotency-key.ts'],
    also: ['test/api/http/idempotency-key.test.ts'],
  },
  'personal-data': {
    // The files that decide on a finding; not words, labels, their search, and forms of characters.
    mutate: [
      'shared/pii/{checks,email-address,non-personal-label,payment-card,redact,scan-personal-data}.ts',
      'shared/pii/number-*.ts',
    ],
    // Without the test of all labels, which takes the longest.
    tests: /^test\/shared\/pii\/(?!labels)/,
  },
};
