import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Ajv } from 'ajv';
import { expect } from 'chai';
import { useBuiltCommand } from '../../../test/support/built-command.ts';

const line = (at: number) =>
  `2026-05-01T${String(at % 24).padStart(2, '0')}:00:00Z ${at % 3 ? 'INFO' : 'ERROR'} user jane${at}@example.com did ${at}`;
const log = Array.from({ length: 300 }, (_, at) => line(at)).join('\n');

describe('the command meterbook', () => {
  const command = useBuiltCommand();
  const file = async (name: string, content: string | Uint8Array) => {
    const path = join(command.folder, name);
    await writeFile(path, content);
    return path;
  };
  /** Runs the command, which must end with a sentence. */
  const expectSentence = async (args: readonly string[], sentence: string | RegExp) => {
    const { code, stdout, stderr } = await command.run(args);
    expect(stderr, args.join(' ')).to.match(/^meterbook: [^\n]+[.?]\n$/);
    expect(stderr).to.match(typeof sentence === 'string' ? new RegExp(sentence.replace(/[.*()]/g, '\\$&')) : sentence);
    expect([code, stdout]).to.deep.equal([2, '']);
  };

  it('ends with a sentence and exit code 2 for a log that cannot be read', async () => {
    const whole = gzipSync(log);
    await mkdir(join(command.folder, 'folder'), { recursive: true });
    // Root reads everything.
    const secret: [string, string, string][] = process.getuid?.() === 0 ? [] : [['secret', log, 'permission denied']];
    const cases: [name: string, content: string | Uint8Array | null, sentence: string][] = [
      ...secret,
      ['binary', Buffer.from(Array.from({ length: 5_000 }, (_, at) => (at * 31) % 256)), 'is not a log: it is binary'],
      ['half.gz', whole.subarray(0, whole.length / 2), 'is incomplete or damaged: its gzip data ends early'],
      ['damaged.gz', Buffer.concat([whole.subarray(0, 30), Buffer.alloc(900), whole.subarray(60)]), 'damaged'],
      ['empty', '', 'has no log entries'],
      ['blank', '\n \n\n', 'has no log entries'],
      ['bulk.json', '{"index":{"_index":"a"}}\n{"message":"b"}\n', 'is a bulk request to Elasticsearch'],
      ['folder', null, "is a directory: name its files, such as '"],
      ['missing', null, 'does not exist'],
      ['missing-*.log', null, 'No file matches'],
    ];
    for (const [name, content, sentence] of cases) {
      const path = join(command.folder, name);
      if (content !== null) await writeFile(path, content);
      if (name === 'secret') await chmod(path, 0);
      await expectSentence(['estimate', path], sentence);
    }
  });

  it('names the option that is wrong', async () => {
    const path = await file('a.log', log);
    const design = await file('design.json', '{"assumptions":{"pipeline":{"function":{"batch_size":0}},"foo":1}}');
    await expectSentence(['estimate', path, '--region', 'mars-1'], '--region "mars-1" is not a region.\n');
    await expectSentence(['estimate', path, '--model', 'claude-sonet-4-6'], /--model .* did you mean [^?]*\?\n$/);
    await expectSentence(['estimate', path, '--zone', 'Nowhere'], '--zone');
    await expectSentence(['estimate', path, '--volume', 'many'], 'write it as 5000/s or 30M/month');
    await expectSentence(['estimate', path, '--from', 'May'], '--from');
    await expectSentence(['estimate', path, '--price-book', path], 'is not JSON');
    await expectSentence(['estimate', path, '--design', design], /batch_size .*; .*foo is unknown/);
    await expectSentence(['estimate', path, '--design', await file('5.json', '5')], 'is not a design or a list');
    const unknown = await command.run(['estimate', path, '--no-such-option']);
    expect([unknown.code, unknown.stderr.split('\n')[0]]).to.deep.equal([
      2,
      "error: unknown option '--no-such-option'",
    ]);
  });

  it('rejects a line that is too long, and counts the lines around it', async () => {
    const long = Buffer.concat([
      Buffer.from(`${log}\n`),
      Buffer.alloc(9 * 1024 * 1024, 'x'),
      Buffer.from(`\n${log}\n`),
    ]);
    const { stdout } = await command.run(['estimate', await file('long.log', long), '--json']);
    const {
      totals,
      not_understood: [input],
    } = JSON.parse(stdout);
    expect([totals.logs, input.rejected]).to.deep.equal([600, 1]);
    expect(input.errors[0]).to.deep.include({ entry: 301 });
  });

  it('ends quietly when a pipe closes', async () => {
    const path = await file('piped.log', log);
    const child = spawn(process.execPath, [join(command.folder, 'dist/main.js'), 'estimate', path, '--json']);
    let stderr = '';
    child.stderr.on('data', (text) => (stderr += text));
    child.stdout.destroy();
    const [code] = await once(child, 'close');
    expect([code, stderr]).to.deep.equal([0, '']);
  });

  it('reads standard input, several files and names with wildcards as one log', async () => {
    const [first, second] = [log.slice(0, log.indexOf('\n', 9_000) + 1), log.slice(log.indexOf('\n', 9_000) + 1)];
    await file('part-1.txt', first);
    await file('part-2.txt', gzipSync(second));
    const whole = JSON.parse((await command.run(['estimate', '-', '--json'], { input: Buffer.from(log) })).stdout);
    const parts = JSON.parse((await command.run(['estimate', join(command.folder, 'part-*.txt'), '--json'])).stdout);
    expect(parts.inputs).to.have.length(2);
    const { inputs: _, ...figures } = whole;
    const { inputs: __, ...ofParts } = parts;
    expect(ofParts).to.deep.equal(figures);
  });

  it('has the same figures with any number of threads, of a log of any form', async () => {
    const records = Array.from({ length: 50_000 }, (_, at) => ({
      time: 1_777_600_000_000 + at * 997,
      msg: line(at),
      at,
    }));
    const forms = {
      'lines.log': records.map(({ msg }) => msg).join('\n'),
      'list.json': JSON.stringify(records),
      'indented.json': JSON.stringify(records, null, 1),
    };
    for (const [name, content] of Object.entries(forms)) {
      const path = await file(name, content);
      const [one, two] = await Promise.all(
        ['1', '2'].map((threads) =>
          command.run(['estimate', path, '--threads', threads, '--json', '--arrival', '2026-05-01']),
        ),
      );
      expect(one?.stdout === two?.stdout, name).to.equal(true);
      const { totals, not_understood: unread } = JSON.parse(one?.stdout ?? '');
      expect([name, totals.logs, unread]).to.deep.equal([name, records.length, []]);
    }
  });

  it('writes JSON by its schema, in which the groups of every kind add up to the whole', async () => {
    const schema = JSON.parse((await command.run(['schema'])).stdout);
    const validate = new Ajv({ strict: false, validateFormats: false }).compile(schema);
    const path = await file(
      'groups.log',
      `${log}\n${Array.from({ length: 80 }, (_, at) => `${'word '.repeat(at + 1)}end`).join('\n')}`,
    );
    const args = ['estimate', path, '--json', '--volume', '30M/month', '--arrival', '2026-05-01'];
    const estimate = JSON.parse((await command.run(args)).stdout);
    expect(validate(estimate), JSON.stringify(validate.errors)).to.equal(true);
    const units = (amount: string) => BigInt(amount.replace('.', ''));
    for (const kind of ['patterns', 'levels', 'sources', 'models']) {
      const groups = estimate[kind] as { cost: string; month: string; entries: number }[];
      const sum = (name: 'cost' | 'month') => groups.reduce((all, group) => all + units(group[name]), 0n);
      expect([kind, sum('cost'), sum('month')]).to.deep.equal([
        kind,
        units(estimate.totals.cost),
        units(estimate.present.month.total),
      ]);
      expect(groups.reduce((all, { entries }) => all + entries, 0)).to.equal(estimate.totals.logs);
    }
    expect(estimate.patterns).to.have.length(51);
    expect(estimate.patterns[50].name).to.equal('other');
    expect(estimate.savings[0]).to.include({ action: 'drop', month: estimate.patterns[0].month });
  });

  it('shows the sentence and tables, and no personal data', async () => {
    const path = await file('shown.log', `${log}\n\u001b[31mred`);
    for (const form of [[], ['--markdown'], ['--csv']]) {
      const { stdout, code } = await command.run(['estimate', path, ...form]);
      expect(code).to.equal(0);
      expect(stdout)
        .to.match(/\[EMAIL\\?\]/)
        .and.not.match(/jane\d/)
        .and.not.include('\u001b');
      if (form[0] !== '--csv') expect(stdout).to.match(/^\$\d.* for these 301 entries; about .* a month/);
    }
  });

  it('passes a gate within its limits, and fails one above them', async () => {
    const path = await file('gate.log', log);
    const dearer = await file('dearer.log', `${log}\n${log}`);
    const baseline = await file('last.json', (await command.run(['estimate', path, '--json'])).stdout);
    const month = Number(JSON.parse((await command.run(['estimate', path, '--json'])).stdout).present.month.total);
    const cases: [args: string[], code: number, reason: RegExp][] = [
      [[path, '--max-monthly', String(month + 1)], 0, /^Within limits: \$\S+ a month\.\n$/],
      [[path, '--max-monthly', String(month - 1)], 1, /^Over: \$\S+ a month is more than \$\S+\.\n$/],
      [[path, '--max-increase', '10%', '--baseline', baseline], 0, /^Within limits/],
      [[dearer, '--max-increase', '10%', '--baseline', baseline], 1, /^Over: .* 100\.0 % more, and 10 % are allowed/],
      [[path, '--no-personal-data'], 1, /^Over: 300 findings of personal data\.\n$/],
    ];
    for (const [args, code, reason] of cases) {
      const ended = await command.run(['gate', ...args]);
      expect([args, ended.code]).to.deep.equal([args, code]);
      expect(ended.stdout).to.match(reason);
    }
    await expectSentence(['gate', path], 'Name a limit');
    await expectSentence(['gate', path, '--max-increase', '5', '--baseline', path], 'is not an estimate');
  });

  it('finds personal data, and fails if asked to', async () => {
    const path = await file('scan.log', log);
    const clean = await file('clean.log', 'nothing here\n');
    const found = await command.run(['scan', path, '--fail']);
    expect(found.code).to.equal(1);
    expect(found.stdout)
      .to.match(/300 of 300 entries have personal data/)
      .and.match(/email +message +300 +300/);
    expect((await command.run(['scan', path])).code).to.equal(0);
    expect((await command.run(['scan', clean, '--fail'])).code).to.equal(0);
  });
});
