import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { createFindAssumptions } from '../../../workers/ingest/find-assumptions.ts';
import { createRunningScenario } from '../../support/requests.ts';
import { startTestService } from '../../support/test-service.ts';

describe('the assumptions of scenarios that receive entries', () => {
  const service = startTestService({ workers: false });
  const createFinder = () => {
    const findAssumptions = createFindAssumptions(service.app.models);
    return async (id: string) => (await findAssumptions(id))?.assumptions;
  };

  it('assumptions are those of the scenario, read once, and an empty object if it has none', async () => {
    const assumptions = { inference: { output_tokens_per_entry: 7 } };
    const { id } = await createRunningScenario(service, { assumptions });
    const plain = await createRunningScenario(service);
    const find = createFinder();
    expect(await find(id)).to.deep.equal(assumptions);
    expect(await find(plain.id)).to.deep.equal({});
    await service.app.models.scenario.deleteMany({});
    expect(await find(id), 'read once').to.deep.equal(assumptions);
    expect(await createFinder()(id)).to.equal(undefined);
  });

  it('the assumptions of as many scenarios as are kept are read once', async () => {
    const { scenario } = service.app.models;
    const ids = Array.from({ length: 1_000 }, () => randomUUID());
    await scenario.insertMany(
      ids.map((id) => ({ _id: id, name: id, nameKey: id, region: 'eu-west-1', status: 'running' })),
    );
    const find = createFinder();
    await Promise.all(ids.map(find));
    expect(await find(ids[0] ?? '')).to.deep.equal({});
    await scenario.deleteMany({});
    expect(await find(ids[1] ?? '')).to.deep.equal({});
  });

  it('the assumptions of a scenario that does not exist, or is marked as deleted, are unknown', async () => {
    const find = createFinder();
    expect(await find(randomUUID())).to.equal(undefined);
    const { id } = await createRunningScenario(service);
    await service.request('DELETE', `/api/v1/scenarios/${id}`);
    expect(await find(id)).to.equal(undefined);
  });

  it('assumptions are read again as long as they can change', async () => {
    const { scenario } = service.app.models;
    const { id } = await createRunningScenario(service);
    await scenario.updateOne({ _id: id }, { status: 'draft', assumptions: { free_tier: false } });
    const find = createFinder();
    expect(await find(id)).to.deep.equal({ free_tier: false });
    await scenario.updateOne({ _id: id }, { status: 'running', assumptions: { free_tier: true } });
    expect(await find(id)).to.deep.equal({ free_tier: true });
  });
});
