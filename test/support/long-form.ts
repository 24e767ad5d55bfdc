/**
 * Whether this run has time for the long forms of tests: `npm run verify`. The short forms of
 * `npm test` make the same checks with fewer repetitions, or on fewer pairs of settings.
 */
export const isLongForm = process.env['LONG_TESTS'] === '1';
