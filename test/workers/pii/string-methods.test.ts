import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** What V8 says of `String.prototype` at each `isFast()` of the script, in a process of its own: its state is the process's. */
function isFastAfter(script: string): unknown {
  const source = `
    import { createScanner } from './workers/pii/scan-personal-data.ts';
    const isFast = () => %HasFastProperties(String.prototype);
    ${script}`;
  const options = ['--allow-natives-syntax', '--import', 'tsx', '--input-type=module', '--eval'];
  return JSON.parse(execFileSync(process.execPath, [...options, source], { cwd: ROOT, encoding: 'utf8' }));
}

describe('keepStringMethodsFast', () => {
  it('mends the methods of strings that a subclass of String has made slow', () => {
    const states = isFastAfter(`
      class Reply extends String {}
      const before = isFast();
      createScanner();
      console.log(JSON.stringify([before, isFast()]));`);
    expect(states).to.deep.equal([false, true]);
  });

  it('keeps them fast when the subclass comes after the scanner', () => {
    const states = isFastAfter(`
      createScanner();
      class Reply extends String {}
      console.log(JSON.stringify([isFast()]));`);
    expect(states).to.deep.equal([true]);
  });

  it('undoes what loading the Redis client does', () => {
    const states = isFastAfter(`
      await import('ioredis');
      createScanner();
      console.log(JSON.stringify([isFast()]));`);
    expect(states).to.deep.equal([true]);
  });
});
