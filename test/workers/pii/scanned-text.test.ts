import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { maxMessageBytes } from '../../../api/ingest/ingest.schemas.ts';
import { MAX_TEXT_LENGTH } from '../../../workers/pii/scanned-text.ts';
import { found, scan } from './found.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

describe('the text that is being scanned', () => {
  it('Its code units are read within the text and at its end only', () => {
    // The child process loads a `unitAt` that records other reads. The beginnings and ends of the
    // lines have all kinds of data next to the limits of the text.
    const load = String.raw`
      export async function load(url, context, next) {
        const module = await next(url, context);
        if (!url.endsWith('/workers/pii/scanned-text.ts')) return module;
        const source = String(module.source);
        const read = /return UNITS\[at\]/;
        if (!read.test(source)) throw new Error('unitAt has changed.');
        const record = 'if (!(at >= 0 && at <= _text.length)) outside.add(new Error().stack.split("\\n")[2]);';
        return { ...module, source: source.replace(read, record + '$&') };
      }`;
    const source = `
      import { register } from 'node:module';
      globalThis.outside = new Set();
      register('data:text/javascript,' + encodeURIComponent(${JSON.stringify(load)}));
      const { createScanner } = await import('./workers/pii/scan-personal-data.ts');
      const { generateLines, LABELLED_SETS } = await import('./scripts/bench/labelled-set/labelled-set.ts');
      const scan = createScanner();
      const lines = LABELLED_SETS.flatMap((set) => generateLines(set, 70).map(({ text }) => text));
      for (const text of [...lines, '371449635398431*0627', "b'rien@example.com"])
        for (let at = 0; at <= text.length; at++) {
          scan(text.slice(0, at));
          scan(text.slice(at));
        }
      console.log(JSON.stringify([...globalThis.outside]));`;
    const options = ['--import', 'tsx', '--input-type=module', '--eval', source];
    const output = execFileSync(process.execPath, options, { cwd: root, encoding: 'utf8' });
    expect(JSON.parse(output)).to.deep.equal([]);
  });

  it('The text before it changes no finding', () => {
    scan("'".repeat(400));
    expect(found("b'rien@example.com")).to.deep.equal(["email:b'rien@example.com"]);
  });

  it('The longest message is scanned to its end, and a longer text is refused', () => {
    const end = ' joe@example.com';
    const longest = 'x'.repeat(MAX_TEXT_LENGTH - end.length) + end;
    expect(MAX_TEXT_LENGTH).to.be.at.least(maxMessageBytes);
    expect(found(longest)).to.deep.equal(['email:joe@example.com']);
    expect(() => scan(`${longest}x`)).to.throw(RangeError, '262144');
  });
});
