import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type HistoryLine, readHistory } from '../../../scripts/torture/history.ts';
import { judge } from '../../../scripts/torture/judge/judge.ts';
import { runTorture } from '../../../scripts/torture/run.ts';
import { plantedDefects } from './planted-defects.ts';

/**
 * Its first faults empty Redis, cut connections to the store, drop its replies, kill it, and freeze
 * a worker. None of them restarts a process of the service, because a start is most of the
 * processor time of a short run.
 */
const seed = 6295;

describe('a torture run of twenty seconds', () => {
  let folder = '';
  let lines: readonly HistoryLine[] = [];
  before(async function () {
    this.timeout(600_000);
    folder = await mkdtemp(join(tmpdir(), 'meterbook-test-torture-'));
    const historyFile = join(folder, 'history.jsonl');
    lines = await runTorture({ seed, seconds: 20, callers: 2, historyFile, print: () => {} });
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('keeps every promise while processes and connections fail', () => {
    const { violations, counts } = judge(lines);
    expect(violations).to.deep.equal([]);
    expect(lines.filter(({ type }) => type === 'fault')).not.to.deep.equal([]);
    for (const name of ['entries stored', 'reads of metrics', 'audit records']) {
      expect(counts[name], name).to.be.greaterThan(0);
    }
  });

  it('leaves a file from which the judge gets the same verdict', async () => {
    expect(judge(await readHistory(join(folder, 'history.jsonl')))).to.deep.equal(judge(lines));
  });

  for (const { name, violation, plant } of plantedDefects) {
    it(`shows a defect that is planted in its history: ${name}`, () => {
      const changed = structuredClone([...lines]);
      plant(changed);
      expect(judge(changed).violations.join('\n')).to.match(violation);
    });
  }
});
