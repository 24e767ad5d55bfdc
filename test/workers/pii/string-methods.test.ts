import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/**
 * The results that the script prints. It runs in its own process, because `String.prototype` is
 * shared by a whole process; `isFast()` reports whether V8 has fast properties for it.
 */
function runScript(script: string): unknown {
  const source = `
    import { createScanner } from './workers/pii/scan-personal-data.ts';
    const isFast = () => %HasFastProperties(String.prototype);
    ${script}`;
  const options = ['--allow-natives-syntax', '--import', 'tsx', '--input-type=module', '--eval'];
  return JSON.parse(execFileSync(process.execPath, [...options, source], { cwd: ROOT, encoding: 'utf8' }));
}

describe('keepStringMethodsFast', () => {
  it('keepStringMethodsFast restores fast properties after a subclass of String was declared', () => {
    const states = runScript(`
      class Reply extends String {}
      const before = isFast();
      createScanner();
      console.log(JSON.stringify([before, isFast()]));`);
    expect(states).to.deep.equal([false, true]);
  });

  it('keepStringMethodsFast keeps fast properties when a subclass is declared later', () => {
    const states = runScript(`
      createScanner();
      class Reply extends String {}
      console.log(JSON.stringify([isFast()]));`);
    expect(states).to.deep.equal([true]);
  });

  it('keepStringMethodsFast restores fast properties after the Redis client was loaded', () => {
    const states = runScript(`
      await import('ioredis');
      createScanner();
      console.log(JSON.stringify([isFast()]));`);
    expect(states).to.deep.equal([true]);
  });
});
