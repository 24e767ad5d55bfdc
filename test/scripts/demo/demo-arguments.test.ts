import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { DemoError } from '../../../scripts/demo/api-client.ts';
import { parseDemoArguments } from '../../../scripts/demo/demo-arguments.ts';

const dataPath = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

function errorOf(...args: string[]): string {
  try {
    parseDemoArguments(args, {});
  } catch (error) {
    expect(error).to.be.instanceOf(DemoError);
    return (error as Error).message;
  }
  throw new Error(`${args.join(' ')} was accepted`);
}

describe('arguments of the demo', () => {
  it('arguments have defaults for a local stack', () => {
    expect(parseDemoArguments([], {})).to.deep.equal({
      url: 'http://127.0.0.1:3000',
      region: 'eu-west-1',
      batch: 500,
      lines: 3_000,
      seed: 1,
      out: dataPath('.data/demo'),
      help: false,
    });
  });

  it('reports are put into the data folder, or into another one', () => {
    expect(parseDemoArguments([], { DATA_DIR: '/srv/meterbook' }).out).to.equal('/srv/meterbook/demo');
    expect(parseDemoArguments(['--out', 'here'], { DATA_DIR: '/srv/meterbook' }).out).to.equal(resolve('here'));
  });

  it('the port is that of the environment, unless a URL is set', () => {
    expect(parseDemoArguments([], { PORT: '3100' }).url).to.equal('http://127.0.0.1:3100');
    expect(parseDemoArguments(['--url', 'https://meter.example/base/'], { PORT: '3100' }).url).to.equal(
      'https://meter.example/base',
    );
  });

  it('the API key is that of --api-key, else that of the environment', () => {
    const environment = { METERBOOK_API_KEY: 'mb_environment' };
    expect(parseDemoArguments([], environment).key).to.deep.equal({
      value: 'mb_environment',
      shown: '$METERBOOK_API_KEY',
    });
    expect(parseDemoArguments(['--api-key', 'mb_given'], environment).key).to.deep.equal({
      value: 'mb_given',
      shown: '<your key>',
    });
    expect(parseDemoArguments([], { METERBOOK_API_KEY: '', API_KEY: 'of another program' }).key).to.equal(undefined);
  });

  it('invalid arguments are refused in one sentence with their name', () => {
    expect(errorOf('--batch', '0')).to.equal('--batch is "0": set it to a whole number from 1 to 1000.');
    expect(errorOf('--batch', '1001')).to.contain('--batch');
    expect(errorOf('--batch', '2.5')).to.contain('--batch');
    expect(errorOf('--lines', 'many')).to.contain('--lines');
    expect(errorOf('--seed=-1')).to.contain('--seed');
    expect(errorOf('--url', 'localhost:3000')).to.contain('--url');
    expect(errorOf('--colour')).to.match(/--colour.* See npm run demo -- --help\.$/);
    expect(errorOf('some.log')).to.contain('some.log');
    expect(errorOf('--file')).to.contain('--file');
    expect(errorOf('--file', 'some.log', '--lines', '3')).to.match(/^--lines and --seed .*--file\.$/);
  });
});
