import { expect } from 'chai';
import { attacks } from '../../../scripts/attack/attacks.ts';
import { isLongForm } from '../../support/long-form.ts';
import { createRunningScenario } from '../../support/requests.ts';
import { startTestService } from '../../support/test-service.ts';

const all = attacks(
  isLongForm ? { days: 2_000, hours: 5_000, lines: 80_000 } : { days: 500, hours: 300, lines: 8_000 },
);

describe('the requests of npm run attack', () => {
  const service = startTestService();

  it('have names of their own', () => {
    const names = all.map(({ name }) => name);
    expect(new Set(names).size).to.equal(names.length);
  });

  for (const attack of all) {
    const { status, code } = attack.response;
    it(`${attack.name}: ${status}`, async () => {
      const { id: scenarioId } = await createRunningScenario(service);
      const target = { url: service.url, scenarioId };
      await attack.prepare?.(target);
      const countBatches = () => service.app.models.logBatch.countDocuments({ scenarioId });
      const before = await countBatches();
      const response = await attack.send(target);
      expect({ status: response.status, code: response.code }).to.deep.equal({ status, code });
      if (code === undefined) return;
      expect(await countBatches(), 'nothing is stored').to.equal(before);
      const jobs = await service.app.queues['ingest-entries'].queue.getJobs();
      expect(jobs.filter(({ data }) => data.scenarioId === scenarioId && attack.prepare === undefined)).to.deep.equal(
        [],
      );
    });
  }
});
