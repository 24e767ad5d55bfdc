import { readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import { ChildOutput } from '../../../scripts/local-stack/child-output.ts';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';
import { waitUntil } from '../../support/wait-until.ts';

describe('the output of a child process', () => {
  const folder = createTemporaryFolder();

  async function printedLinesOf(text: string): Promise<string[]> {
    const shown: string[] = [];
    const output = await ChildOutput.open('worker', folder.path, (line) => shown.push(line));
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

  it('prints the message of a stack trace, with the path of the log file', async () => {
    const trace =
      '/app/main.ts:3\nthrow new TypeError("gone");\n      ^\n\nTypeError: gone\n    at run (/app/main.ts:3:7) {\n  code: 1\n}\n\nNode.js v20.20.2\n';
    const path = join(folder.path, 'worker.log');
    expect(await printedLinesOf(trace)).to.deep.equal([`[worker] TypeError: gone (see ${path})`]);
    expect(await readFile(path, 'utf8')).to.equal(trace);
  });

  it('leaves lines out while the disk is full, and says so once', async function () {
    // A device on which every write fails as on a full disk. macOS has none.
    if (process.platform !== 'linux') this.skip();
    const path = join(folder.path, 'worker.log');
    const shown: string[] = [];
    const output = await ChildOutput.open('worker', folder.path, (line) => shown.push(line));
    await symlink('/dev/full', path);
    const stream = new PassThrough();
    output.read(stream);
    stream.write('{"one":1}\n{"two":2}\n');
    await waitUntil('the report', () => shown.length > 0);
    await rm(path);
    await waitUntil('a line in the file', async () => {
      stream.write('{"three":3}\n');
      return (await readFile(path, 'utf8').catch(() => '')).includes('three');
    });
    await output.close();
    expect(shown).to.deep.equal([`${path} cannot be written (ENOSPC): its lines are left out.`]);
  });

  it('writes every line to the log file, and keeps the log file of the previous start', async () => {
    const path = join(folder.path, 'worker.log');
    await writeFile(path, 'of the previous start\n');
    await printedLinesOf('{"level":"info","message":"listening"}\nplain\n');
    expect(await readFile(path, 'utf8')).to.equal('{"level":"info","message":"listening"}\nplain\n');
    expect(await readFile(`${path}.1`, 'utf8')).to.equal('of the previous start\n');
  });
});
