import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import { ChildOutput } from '../../../scripts/local-stack/child-output.ts';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';

describe('the output of a child process', () => {
  const folder = createTemporaryFolder();

  async function printedLinesOf(text: string): Promise<string[]> {
    const shown: string[] = [];
    const output = await ChildOutput.open('worker', folder.path, 'all', (line) => shown.push(line));
    const stream = new PassThrough();
    output.read(stream);
    stream.end(text);
    await new Promise((resolve) => stream.once('close', resolve));
    await output.close();
    return shown;
  }

  it('prints the message and the cause of warnings and errors', async () => {
    const shown = await printedLinesOf(
      [
        '{"level":"info","message":"listening"}',
        '{"level":"warn","message":"Redis is unreachable","error":{"message":"connect ECONNREFUSED"}}',
        '{"level":"error","message":"job failed"}',
        '{"level":"warn","message":"request refused","reason":"The queue is unreachable."}',
        '{"level":"debug","message":"detail"}',
      ].join('\n'),
    );
    expect(shown).to.deep.equal([
      '[worker] Redis is unreachable: connect ECONNREFUSED',
      '[worker] job failed',
      '[worker] request refused: The queue is unreachable.',
    ]);
  });

  it('prints plain lines unchanged', async () => {
    expect(await printedLinesOf('(node:12) Warning: old option\n{"listening":1}\n{"cut off\n')).to.deep.equal([
      '[worker] (node:12) Warning: old option',
      '[worker] {"cut off',
    ]);
  });

  it('prints one line of a stack trace, with the path of the log file', async () => {
    const trace =
      '/app/main.ts:3\nthrow new TypeError("gone");\n      ^\n\nTypeError: gone\n    at run (/app/main.ts:3:7)\n\nNode.js v20\n';
    const path = join(folder.path, 'worker.log');
    expect(await printedLinesOf(trace)).to.deep.equal([`[worker] TypeError: gone (stack trace in ${path})`]);
    expect(await readFile(path, 'utf8')).to.equal(trace);
  });

  it('prints nothing for the version that Node.js prints some time after a stack trace', async () => {
    const output = await ChildOutput.open('worker', folder.path, 'none', () => {});
    const path = join(folder.path, 'worker.log');
    for (const part of ['TypeError: gone\n    at run (/app/main.ts:3:7)\n', '\nNode.js v20.20.2\n']) {
      const stream = new PassThrough();
      output.read(stream);
      stream.end(part);
      await once(stream, 'close');
      output.flush();
    }
    expect(output.takeLastMessage()).to.equal(`TypeError: gone (stack trace in ${path})`);
    await output.close();
  });

  it('writes every line to the log file, and keeps the log file of the previous start', async () => {
    const path = join(folder.path, 'worker.log');
    await writeFile(path, 'of the previous start\n');
    await printedLinesOf('{"level":"info","message":"listening"}\nplain\n');
    expect(await readFile(path, 'utf8')).to.equal('{"level":"info","message":"listening"}\nplain\n');
    expect(await readFile(`${path}.1`, 'utf8')).to.equal('of the previous start\n');
  });
});
