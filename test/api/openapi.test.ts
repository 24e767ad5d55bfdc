import { expect } from 'chai';
import { allRoutes } from '../../api/routes/index.ts';
import { createScenario } from '../support/requests.ts';
import { testService } from '../support/test-service.ts';

interface Document {
  openapi: string;
  paths: Record<string, Record<string, { tags: string[]; responses: Record<string, unknown> }>>;
  components: { schemas: Record<string, { properties?: Record<string, object>; required?: string[] }> };
}

describe('/openapi.json', () => {
  const service = testService({ workers: false });
  const read = async () => (await service.request('GET', '/openapi.json')).body as Document;

  it('describes every route, and no other', async () => {
    const routes = allRoutes(service.app)
      .flatMap((router) => router.stack)
      .flatMap(({ methods, path }) =>
        methods.map((method) => `${method} ${String(path).replaceAll(/:(\w+)/g, '{$1}')}`),
      )
      .filter((route) => !route.startsWith('HEAD '))
      .map((route) => route.replace(/(\w)\/$/, '$1'));
    const { paths } = await read();
    const described = Object.entries(paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(described).to.have.members(routes);
  });

  it('groups operations by resource', async () => {
    const { paths } = await read();
    const tags = new Set(
      Object.values(paths)
        .flatMap((operations) => Object.values(operations).map(({ tags }) => tags))
        .flat(),
    );
    expect([...tags]).to.have.members(['service', 'auth', 'api-keys', 'notebooks', 'scenarios', 'ingest', 'pii-kinds']);
  });

  it('points only to schemas that are there', async () => {
    const document = await read();
    expect(document.openapi).to.equal('3.1.0');
    const names = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name);
    expect(names.length).to.be.greaterThan(20);
    for (const name of names) expect(document.components.schemas).to.have.property(name ?? '');
  });

  it('knows what validation knows', async () => {
    const { components } = await read();
    const { ScenarioCreate, LogEntry } = components.schemas;
    expect(ScenarioCreate?.required).to.have.members(['name', 'region']);
    expect(ScenarioCreate?.properties?.['name']).to.include({ minLength: 1, maxLength: 100 });
    expect(Object.keys(LogEntry?.properties ?? {})).to.include.members([
      'message',
      'log',
      'msg',
      'usage',
      'attributes',
    ]);
  });

  it('names the fields that a scenario really has', async () => {
    const { components } = await read();
    const scenario = await createScenario(service);
    expect(Object.keys(components.schemas['Scenario']?.properties ?? {})).to.have.members(Object.keys(scenario));
  });
});
