import { expect } from 'chai';
import { attacks } from '../../../scripts/attack/attacks.ts';
import { isLongForm } from '../../support/long-form.ts';
import { createRunningScenario } from '../../support/requests.ts';
import { startTestService } from '../../support/test-service.ts';

/** Only in the long form, because each costs much and another one meets the same limit. */
const largeOnly: ReadonlySet<string> = new Set([
  'lines of the largest size',
  'spaces of the largest size',
  'a number of the largest size',
  '1,000 times of 4 KB',
  '999 entries of 450 attributes',
  '1,000 entries of 99 fields named alike',
  '19 messages of 256 KiB: two kinds of spaces',
  '100 entries of 999 unknown fields',
  'stream: 50 records of 10,000 fields',
  'stream: 40,000 lines in an object that never ends',
  'daily metrics of the first and the last possible entry',
  'metrics of as many days as there are',
  'OTLP: 20,000 log records in protobuf',
  'OTLP: log records in JSON to the largest size',
  'OTLP: 60,000 attributes of a resource in JSON',
  'OTLP: 160,000 empty resources in JSON',
  'OTLP: 80 log records of 10,000 values in JSON',
]);

const all = attacks(isLongForm ? { days: 2_000, hours: 5_000, lines: 80_000 } : { days: 500, hours: 50, lines: 2_000 });

describe('the requests of npm run attack', () => {
  const service = startTestService();

  it('each attack has a name of its own', () => {
    const names = all.map(({ name }) => name);
    expect(new Set(names).size).to.equal(names.length);
    expect(names).to.include.members([...largeOnly]);
  });

  for (const attack of all.filter(({ name }) => isLongForm || !largeOnly.has(name))) {
    const { status, code } = attack.response;
    it(`the response to “${attack.name}” is ${status}`, async () => {
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
