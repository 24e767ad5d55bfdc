/**
 * Whether this run has time for the long forms of tests that repeat a random process:
 * `npm run verify`. The short forms of `npm test` make the same checks with fewer repetitions.
 */
export const isLongForm = process.env['LONG_TESTS'] === '1';
