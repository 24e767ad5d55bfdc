import { expect } from 'chai';
import { parseDemoArguments } from '../../../scripts/demo/demo-arguments.ts';
import { DemoError } from '../../../scripts/demo/demo-error.ts';

function faultOf(...args: string[]): string {
  try {
    parseDemoArguments(args, {});
  } catch (error) {
    expect(error).to.be.instanceOf(DemoError);
    return (error as Error).message;
  }
  throw new Error(`No fault in ${args.join(' ')}`);
}

describe('arguments of the demo', () => {
  it('have defaults for a stack on this machine', () => {
    expect(parseDemoArguments([], {})).to.deep.equal({
      url: 'http://127.0.0.1:3000',
      region: 'eu-west-1',
      batch: 500,
      lines: 3_000,
      seed: 1,
      help: false,
    });
  });

  it('take the port from the environment, unless a URL is given', () => {
    expect(parseDemoArguments([], { PORT: '3100' }).url).to.equal('http://127.0.0.1:3100');
    expect(parseDemoArguments(['--url', 'https://meter.example/base/'], { PORT: '3100' }).url).to.equal(
      'https://meter.example/base',
    );
  });

  it('take a key, and the one that was given before the one of the environment', () => {
    const environment = { METERBOOK_API_KEY: 'mb_environment' };
    expect(parseDemoArguments([], environment).key).to.deep.equal({
      value: 'mb_environment',
      shown: '$METERBOOK_API_KEY',
    });
    expect(parseDemoArguments(['--api-key', 'mb_given'], environment).key).to.deep.equal({
      value: 'mb_given',
      shown: '<your key>',
    });
    expect(parseDemoArguments([], { METERBOOK_API_KEY: '', API_KEY: 'of something else' }).key).to.equal(undefined);
  });

  it('are refused in one sentence that names the argument', () => {
    expect(faultOf('--batch', '0')).to.equal('--batch is "0": give a whole number from 1 to 1000.');
    expect(faultOf('--batch', '1001')).to.contain('--batch');
    expect(faultOf('--batch', '2.5')).to.contain('--batch');
    expect(faultOf('--lines', 'many')).to.contain('--lines');
    expect(faultOf('--seed=-1')).to.contain('--seed');
    expect(faultOf('--url', 'localhost:3000')).to.contain('--url');
    expect(faultOf('--colour')).to.match(/--colour.* See npm run demo -- --help\.$/);
    expect(faultOf('some.log')).to.contain('some.log');
    expect(faultOf('--file')).to.contain('--file');
    expect(faultOf('--file', 'some.log', '--lines', '3')).to.match(/^--lines and --seed .*--file\.$/);
  });
});
