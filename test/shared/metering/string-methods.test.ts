import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const root = fileURLToPath(new URL('../../../', import.meta.url));

describe('keepStringMethodsFast', () => {
  it('A counter of tokens restores fast properties of strings, which the Redis client removes, and they stay', () => {
    // In its own process, because a whole process shares `String.prototype`.
    const source = `
      import { createTokenCounter } from './shared/metering/count-tokens.ts';
      import { readTokenRanks } from './shared/metering/token-ranks.ts';
      const states = [];
      const record = () => states.push(%HasFastProperties(String.prototype));
      await import('ioredis');
      record();
      createTokenCounter(readTokenRanks());
      record();
      class Later extends String {}
      record();
      console.log(JSON.stringify(states));`;
    const options = ['--allow-natives-syntax', '--import', 'tsx', '--input-type=module', '--eval'];
    const output = execFileSync(process.execPath, [...options, source], { cwd: root, encoding: 'utf8' });
    expect(JSON.parse(output)).to.deep.equal([false, true, true]);
  });
});
