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
  it('The scanner restores fast properties of strings, which the Redis client removes, and they stay', () => {
    const states = runScript(`
      const states = [];
      const record = () => states.push(isFast());
      await import('ioredis');
      record();
      createScanner();
      record();
      class Later extends String {}
      record();
      console.log(JSON.stringify(states));`);
    expect(states).to.deep.equal([false, true, true]);
  });
});

describe('the code units of a text', () => {
  it('The scanner reads code units within the text only, because V8 slows down a place that does not', () => {
    // The beginnings and ends of the lines have all kinds of data next to the limits of the text.
    const outside = runScript(`
      import { generateLines, LABELLED_SETS } from './scripts/bench/labelled-set/labelled-set.ts';
      const scan = createScanner();
      const { charCodeAt } = String.prototype;
      const outside = new Set();
      String.prototype.charCodeAt = function (at) {
        if (!(at >= 0 && at < this.length)) outside.add(new Error().stack.split('\\n').slice(2, 4).join());
        return charCodeAt.call(this, at);
      };
      for (const { text } of LABELLED_SETS.flatMap((set) => generateLines(set, 70)))
        for (let at = 0; at < text.length; at++) {
          scan(text.slice(0, at));
          scan(text.slice(at));
        }
      console.log(JSON.stringify([...outside]));`);
    expect(outside).to.deep.equal([]);
  });
});
