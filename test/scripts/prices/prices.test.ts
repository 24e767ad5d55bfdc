import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { runPrices } from '../../../scripts/prices/main.ts';
import { readNewestPriceBook } from '../../../shared/cost/price-books.ts';
import { offerFile, queueProduct, queueRates, tokenProduct } from '../../shared/cost/refresh/offer-files.ts';
import { changedBook } from '../../support/changed-book.ts';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';
import { startTestService } from '../../support/test-service.ts';

const program = fileURLToPath(new URL('../../../scripts/prices.mjs', import.meta.url));

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs the command in this process, with variables of the environment. */
async function pricesOn(environment: Record<string, string>, ...args: string[]): Promise<Ended> {
  const [out, errors]: [string[], string[]] = [[], []];
  const print = (text: string) => void out.push(`${text}\n`);
  const printError = (text: string) => void errors.push(`${text}\n`);
  const code = await runPrices(args, { environment, print, printError });
  return { code, stdout: out.join(''), stderr: errors.join('') };
}

describe('npm run prices', () => {
  const folder = createTemporaryFolder();
  /** No local stack uses the folder. */
  const prices = (...args: string[]): Promise<Ended> => pricesOn({ DATA_DIR: folder.path }, ...args);

  /** Another book with a price of Nova Micro's input in us-east-1; the book has 0.000035. */
  async function otherBook(amount: string): Promise<string> {
    const path = join(folder.path, 'book.json');
    const book = changedBook((file) => {
      const nova = file.inference.models.find(({ id }) => id === 'amazon.nova-micro-v1:0');
      nova!.prices['us-east-1']!.input_per_1k = amount;
    });
    await writeFile(path, JSON.stringify(book));
    return `book:${path}`;
  }

  it('status shows the age of each part, Regions without a source and old evidence', async () => {
    const { code, stdout } = await prices('status', '--json');
    const status = JSON.parse(stdout);
    expect(code).to.equal(0);
    expect(status.parts.map(({ part }: { part: string }) => part)).to.include.members([
      'queue',
      'queue us-east-1',
      'function',
      'inference',
    ]);
    expect(status.regions_without_source.queue).to.include('ca-central-1').and.not.include('us-east-1');
    expect(status.old_models).to.be.an('array');
    const text = await prices('status');
    expect(text.stdout).to.match(/Regions without a sourced queue price: 27: /);
    expect(text.stderr).to.equal('No database is running: this is about the price book of the code.\n');
  });

  it('diff exits with 2 if something would change, with 0 if not, and with 1 if the source is refused', async () => {
    const changed = await prices('diff', '--from', await otherBook('0.00004'));
    expect(changed.code).to.equal(2);
    expect(changed.stdout).to.match(/change .*inference us-east-1 amazon\.nova-micro-v1:0 input .*0\.00004 .*\+14\.29/);
    const unused = await prices('diff', '--from', await otherBook('0.035'));
    expect(unused.code).to.equal(0);
    expect(unused.stdout).to.match(/Not used, so that the book keeps its own price:\n .*by more than a factor of 10/);
    const refused = await prices('diff', '--from', await otherBook('0'));
    expect(refused.code).to.equal(1);
    expect(refused.stdout).to.match(
      /The source is refused, and nothing of it is used:\n .*book\.json: .*price is zero/,
    );
    const json = await prices('diff', '--from', await otherBook('-1'), '--json');
    expect(JSON.parse(json.stdout).not_used[0].reason).to.match(/not "-1"/);
  });

  describe('apply', () => {
    const service = startTestService({ workers: false });
    const onDatabase = (...args: string[]) =>
      pricesOn({ MONGODB_URL: service.environment['MONGODB_URL'] ?? '' }, ...args);
    const apply = (...args: string[]) => onDatabase('apply', ...args);
    const newest = async () => (await readNewestPriceBook(service.app.models)).stored;

    it('reads with --only the prices of one service, as diff does, whatever is wrong with the others', async () => {
      const offers = join(folder.path, 'offers');
      const products = [queueProduct('us-east-1', 'Standard', queueRates('0.0000004100'))];
      const queue = offerFile({ offerCode: 'AWSQueueService', products });
      // A price of the other offer is zero.
      const free = tokenProduct({ model: 'Nova Lite', inferenceType: 'Input tokens' }, '1M tokens', '0');
      const bedrock = offerFile({ offerCode: 'AmazonBedrock', products: [free] });
      await mkdir(offers);
      await writeFile(join(offers, 'queue.json'), queue);
      await writeFile(join(offers, 'bedrock.json'), bedrock);
      const from = ['--from', `aws:${offers}`] as const;
      expect((await onDatabase('diff', ...from)).code).to.equal(1);
      const diff = await onDatabase('diff', ...from, '--only', 'queue');
      expect(diff.code, diff.stdout).to.equal(2);
      expect(diff.stdout).to.include('3 prices read, 2 agree, 1 would change.');
      expect((await newest()).sequence, 'diff stores nothing').to.equal(1);
      const { code, stdout } = await apply(...from, '--only', 'queue');
      expect(code).to.equal(0);
      const { _id: version } = await newest();
      expect(stdout).to.include(`Version ${version} is stored; 1 prices have changed.`);
      const again = await apply(...from, '--only', 'queue');
      expect(again).to.include({ code: 0 });
      expect(again.stdout).to.include(`Version ${version} has these prices already.`);
      const nothing = await apply('--from', `aws:${join(offers, 'bedrock.json')}`, '--only', 'queue');
      expect(nothing.code).to.equal(1);
      expect(nothing.stdout).to.include('the source has no queue price of the format aws');
    });

    it('exits with 1 and a sentence if the database is unreachable', async () => {
      const nowhere = await pricesOn({ MONGODB_URL: 'mongodb://127.0.0.1:1/none' }, 'apply', '--from', 'aws:.');
      expect([nowhere.code, nowhere.stdout]).to.deep.equal([1, '']);
      expect(nowhere.stderr).to.match(/^MONGODB_URL: no database answers at .*\n$/);
    });
  });

  it('is a program that passes its arguments on, and prints what the command prints', async () => {
    const ended = await promisify(execFile)(process.execPath, [program, 'set']).catch((error: Ended) => error);
    expect(ended).to.include({ code: 1, stdout: '' });
    expect(ended.stderr).to.include('"set" is not a command');
  });

  for (const [args, sentence] of [
    [[], 'The command is missing: use status, diff or apply.'],
    [['set'], '"set" is not a command: use status, diff or apply.'],
    [['apply'], 'apply needs --from with a source'],
    [['apply', '--from', 'aws:.', '--only', 'all'], '--only must be one of queue, function, inference, not "all".'],
    [['check', '--from', 'aws:.'], '"check" is not a command: use status, diff or apply.'],
    [['diff', '--from', 'aws:.', '--accept-large-changes'], "diff: Unknown option '--accept-large-changes'."],
    [['status', '--from', 'aws:.'], "status: Unknown option '--from'."],
    [['diff', '--from', 'ftp:x'], '"ftp:x" is not a source: use aws:FOLDER_OR_URL'],
    [['diff', '--from', 'litellm:prices.json'], '"litellm:prices.json" is not a source'],
    [['diff', '--from'], "Option '--from <value>' argument missing."],
    [['diff', '--to', 'x'], "Unknown option '--to'."],
  ] as const) {
    it(`${args.join(' ') || 'no command'} is an invalid command: it exits with 1 and one sentence`, async () => {
      const { code, stdout, stderr } = await prices(...args);
      expect([code, stdout]).to.deep.equal([1, '']);
      expect(stderr.trim().split('\n')).to.have.length(1);
      expect(stderr).to.include(sentence);
    });
  }
});
