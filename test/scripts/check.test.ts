import { expect } from 'chai';

describe('npm run check', () => {
  it('runs the tests of pure code, and none that opens a connection or starts a process', async () => {
    const file = new URL('../../.mocharc.check.mjs', import.meta.url).href;
    const { default: config } = (await import(file)) as { default: { spec: string[]; require?: string[] } };
    expect(config.spec).to.include('test/shared/cost/money.test.ts');
    expect(config.spec).to.not.include('test/flows/ingest.test.ts');
    expect(config.require).to.equal(undefined);
  });
});
