import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { runPrices } from '../../scripts/prices/main.ts';
import { offerFile, queueProduct } from '../shared/cost/refresh/offer-files.ts';
import { isLongForm } from '../support/long-form.ts';
import { createRunningScenario, getMetrics, ingest } from '../support/requests.ts';
import { startFurtherProcesses } from '../support/second-web-process.ts';
import { startTestProcesses } from '../support/test-processes.ts';
import { waitUntil } from '../support/wait-until.ts';

/** On a busy machine, a poll can be late. */
const seenWithinMs = isLongForm ? 5_000 : 60_000;
const linesPerBatch = 20;

/** In the short form, one further `web`: each process looks for versions by itself. */
const further = isLongForm ? (['web', 'worker'] as const) : (['web'] as const);

describe('a new version of the price book in several web and worker processes', () => {
  let folder = '';
  const first = startTestProcesses(async () => {
    folder = await mkdtemp(join(tmpdir(), 'meterbook-test-'));
    return { LOG_LEVEL: 'info', INGEST_WAIT_MS: '300' };
  });
  after(() => rm(folder, { recursive: true, force: true }));
  const second = startFurtherProcesses(first, further);
  const webs = [first, second];
  const processes = new Map<(typeof webs)[number], number>([
    [first, 2],
    [second, further.length],
  ]);

  it('is seen by each of them, while each accepted entry is counted once at the old prices', async () => {
    const { id } = await createRunningScenario(first, { region: 'us-east-1' });
    const old = (await getMetrics(first, id)).price_book.version;
    const rates = [
      { price: '0.0000005000', end: '100000000000' },
      { price: '0.0000003000', begin: '100000000000', end: '200000000000' },
      { price: '0.0000002400', begin: '200000000000' },
    ];
    const products = [queueProduct('us-east-1', 'Standard', rates)];
    await writeFile(join(folder, 'sqs.json'), offerFile({ offerCode: 'AWSQueueService', products }));

    let accepted = 0;
    const seen = new AbortController();
    const send = async (web: (typeof webs)[number]) => {
      while (!seen.signal.aborted) {
        const lines = Array.from({ length: linesPerBatch }, (_, line) => ({ message: `entry ${accepted} ${line}` }));
        const { status, text } = await ingest(web, id, lines);
        expect([200, 202], text).to.include(status);
        accepted += linesPerBatch;
        // Leaves processor time to what is waited for.
        await delay(50);
      }
    };
    const isSeenBy = async (web: (typeof webs)[number], version: string) => {
      const lines = (await web.logs()).split('\n').filter((line) => line.includes('newest version of the price book'));
      return lines.filter((line) => line.includes(version)).length === processes.get(web);
    };
    const apply = async () => {
      const print = () => undefined;
      const terminal = { environment: first.environment, print, printError: print };
      expect(await runPrices(['apply', '--from', `aws:${folder}`], terminal)).to.equal(0);
      const version = (await first.request('GET', '/api/v1/price-books')).body.items[0].version as string;
      await Promise.all(
        webs.map((web) => waitUntil('a web and a worker', () => isSeenBy(web, version), seenWithinMs)),
      ).finally(() => seen.abort());
      return version;
    };
    const [current] = await Promise.all([apply(), ...webs.map(send)]);

    await waitUntil('all entries to count', async () => (await getMetrics(first, id)).totals.logs === accepted);
    for (const web of webs) {
      const { price_book: book, totals, cost_breakdown: costs } = await getMetrics(web, id);
      expect([book.version, totals.logs]).to.deep.equal([old, accepted]);
      expect(costs[0].cost).to.equal((accepted * 0.0000004).toFixed(12));
      const { id: later } = await createRunningScenario(web);
      expect((await getMetrics(web, later)).price_book.version).to.equal(current);
    }
  });
});
