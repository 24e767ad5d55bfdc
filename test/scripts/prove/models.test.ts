import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { checkModel, readOutput } from '../../../scripts/prove/check-model.ts';
import { missingPrograms } from '../../../scripts/prove/main.ts';
import { readModel, readModels } from '../../../scripts/prove/model.ts';
import { isLongForm } from '../../support/long-form.ts';

const models = readModels(fileURLToPath(new URL('../../../proof/', import.meta.url)));

describe('the models of the protocols', () => {
  let folder = '';
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'meterbook-test-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const modelOf = async (source: string) => {
    const file = join(folder, 'model.pml');
    await writeFile(file, source);
    return readModel(file);
  };

  it('models state their bounds, and list their mutations', () => {
    expect(models.map(({ name }) => name)).to.deep.equal(['audit-trail', 'idempotency-key', 'last-admin']);
    for (const { name, bound, mutations } of models) {
      expect(bound, name).to.match(/\d/);
      expect(mutations, name).to.have.length.greaterThan(4);
    }
  });

  it('models are refused without a bound, and with a mutation that is not listed', async () => {
    const error = async (source: string) => {
      const failure = await modelOf(source).catch((thrown: unknown) => thrown);
      return (failure as Error).message;
    };
    expect(await error('/*\n * Text.\n */\n')).to.contain('states no bound');
    const hidden =
      '/*\n * bound: 1 process\n * mutation LISTED: it is wrong\n */\n#ifdef LISTED\n#endif\n#ifdef HIDDEN\n#endif\n';
    expect(await error(hidden)).to.contain('but has others');
  });

  it('models do not hold if the check has ended before all states were reached', () => {
    expect(readOutput('error: max search depth too small\n  9 states, stored\nerrors: 0')).to.include({
      outcome: 'unfinished',
    });
    expect(readOutput('pan: reached -DMEMLIM bound\nout of memory\n 12 states, stored\nerrors: 0').outcome).to.equal(
      'unfinished',
    );
    expect(readOutput('').outcome).to.equal('unfinished');
    expect(readOutput(' 1.2e+07 states, stored\n errors: 0')).to.deep.equal({ outcome: 'holds', states: 12_000_000 });
  });

  // `npm run prove` checks all models with the same function.
  const cannotCheck = () => !isLongForm || missingPrograms().length > 0;

  it('a model of a counter holds in every state, and its mutation does not', async function () {
    if (cannotCheck()) this.skip();
    const counter = await modelOf(`/*
 * bound: 2 processes
 * mutation NOT_ATOMIC: the counter is read and written in two steps
 */
byte count, ended;
active [2] proctype Add() {
  byte read;
#ifdef NOT_ATOMIC
  read = count;
  count = read + 1;
#else
  count++;
#endif
  ended++;
  assert(ended < 2 || count == 2)
}
`);
    expect(await checkModel(counter)).to.include({ outcome: 'holds' });
    expect(await checkModel(counter, 'NOT_ATOMIC')).to.include({ outcome: 'violated' });
  });

  it('the model of the last admin holds in every state, and a mutation does not', async function () {
    if (cannotCheck()) this.skip();
    const lastAdmin = models.find(({ name }) => name === 'last-admin');
    if (!lastAdmin) throw new Error('There is no model of the last admin.');
    expect(await checkModel(lastAdmin)).to.include({ outcome: 'holds' });
    expect(await checkModel(lastAdmin, 'COUNT_NOT_OF_MAJORITY')).to.include({ outcome: 'violated' });
  });
});
