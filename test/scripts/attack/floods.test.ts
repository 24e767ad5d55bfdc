import { expect } from 'chai';
import { floods, sendFlood } from '../../../scripts/attack/floods.ts';
import { createFloodAccount, createHonestCaller } from '../../../scripts/attack/honest-caller.ts';
import { isLongForm } from '../../support/long-form.ts';
import { startTestService } from '../../support/test-service.ts';

/** `npm run attack` measures the times of honest requests; here, none of them may be refused. */
const rounds = isLongForm ? 6 : 2;

describe('honest callers during the floods of npm run attack', () => {
  for (const flood of floods()) {
    describe(flood.name, () => {
      const service = startTestService({ environment: { RATE_LIMIT_LOGIN: '10', RATE_LIMIT_INGEST: '6000' } });

      it('does not make the service refuse an honest login or ingest', async () => {
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
        stop.abort();
        const outcomes = await flooding;
        expect(caller.times.refused).to.deep.equal([]);
        expect(outcomes, 'requests of the flood').not.to.include.keys('500');
      });
    });
  }
});
