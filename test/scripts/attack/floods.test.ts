import { expect } from 'chai';
import { sendFlood } from '../../../scripts/attack/floods/flood.ts';
import { floods } from '../../../scripts/attack/floods/floods.ts';
import { createFloodAccount, createHonestCaller } from '../../../scripts/attack/floods/honest-caller.ts';
import { isLongForm } from '../../support/long-form.ts';
import { startTestService } from '../../support/test-service.ts';

/** `npm run attack` measures the times of honest requests; here, none of them may be refused. */
const rounds = isLongForm ? 6 : 2;

/** Each meets the same limit as another flood, with a different size or route. */
const largeOnly: ReadonlySet<string> = new Set([
  '200 logins at once of 100 networks',
  'unfinished gzip bodies of two networks',
  'metrics of a scenario that gets new days',
  '300 report schedules at once of one account',
]);

describe('honest callers during the floods of npm run attack', () => {
  for (const flood of floods().filter(({ name }) => isLongForm || !largeOnly.has(name))) {
    describe(flood.name, () => {
      const service = startTestService({ environment: { RATE_LIMIT_LOGIN: '10', RATE_LIMIT_INGEST: '6000' } });

      it('does not make the service refuse an honest login, ingest or report', async () => {
        const { url } = service;
        const honest = await createFloodAccount(url, 'honest');
        const target = { url, honest, attacker: await createFloodAccount(url, 'attacker') };
        const caller = createHonestCaller(target);
        const stop = new AbortController();
        const flooding = sendFlood(flood, target, stop.signal);
        for (let round = 0; round < rounds; round += 1) {
          await caller.logIn();
          await caller.ingest();
        }
        if (flood.delaysReports) await caller.report();
        stop.abort();
        const outcomes = await flooding;
        expect(caller.times.refused).to.deep.equal([]);
        expect(outcomes, 'requests of the flood').not.to.include.keys('500');
      });
    });
  }
});
