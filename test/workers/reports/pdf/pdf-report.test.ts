import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import type { Browser } from 'puppeteer-core';
import type { Logger } from 'winston';
import { priceByPage } from '../../../../shared/cost/paged-cost.ts';
import { presentServices, presentTotals } from '../../../../shared/cost/present-cost.ts';
import { applyDefaults } from '../../../../shared/scenarios/assumptions.ts';
import type { HourCounters } from '../../../../shared/usage/stored-hour.ts';
import { launchBrowser } from '../../../../workers/reports/pdf/chromium.ts';
import { createPdfPrinter } from '../../../../workers/reports/pdf/pdf-printer.ts';
import { createDocument } from '../../../../workers/reports/pdf/report-document.ts';
import type { ReportData } from '../../../../workers/reports/report-data.ts';
import { book, buildHour, byDay, defaultPricing } from '../../../shared/cost/build-usage.ts';
import { isRunning } from '../../../support/process-table.ts';
import { readPdfText } from '../../../support/reports.ts';
import { sampleAnswer } from '../../../support/sample-report.ts';
import { testChromium } from '../../../support/test-chromium.ts';
import { waitUntil } from '../../../support/wait-until.ts';

const hostileName = '<img src=x onerror=alert(1)> & "quotes"';

/** Warnings of the log: what they say, and their fields. */
const warnings: [string, object][] = [];
const log = { warn: (message: string, fields: object) => void warnings.push([message, fields]) } as unknown as Pick<
  Logger,
  'warn'
>;

/** A report of these hours. */
async function reportOf(hours: HourCounters[], name = 'Peak season'): Promise<ReportData> {
  const page = { limit: 2_000, maxHours: 2_000 };
  const cost = await priceByPage(byDay(hours), defaultPricing, page);
  return {
    reportId: '5b9b0b06-36a0-4c53-8a2c-33a5f5d1b111',
    title: name,
    createdAt: new Date('2026-06-01T08:00:00Z'),
    scenario: {
      name,
      description: 'The traffic of December',
      regionName: 'US East (N. Virginia)',
      assumptions: applyDefaults({}),
    },
    period: cost.period,
    priceBook: { version: book.version, asOf: book.asOf },
    overrides: [],
    ...sampleAnswer(presentTotals(cost).cost),
    totals: presentTotals(cost),
    breakdown: presentServices(cost),
    interval: cost.interval,
    rows: cost.rows,
    rowsTruncated: cost.next !== null,
  };
}

const busyHours = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    ...buildHour({
      at,
      logs: BigInt(100 + ((at * 37) % 90)),
      queue: BigInt(300 + ((at * 37) % 90)),
      invocations: 100n,
      mbMs: 12_800_000n,
      inputTokens: BigInt(40_000 + ((at * 7_919) % 20_000)),
      outputTokens: 10_000n,
    }),
    sizeBytes: 12_345n,
    piiLogs: 3n,
    pii: { email: 4n },
  }));

describe('the document of a report', () => {
  it('has the figures of the metrics, every row and the charts', async () => {
    const data = await reportOf(busyHours(30));
    const document = await createDocument(data, log);
    for (const figure of [data.totals.cost, ...data.breakdown.map(({ cost }) => cost)]) {
      expect(document).to.contain(figure);
    }
    expect(document.match(/2026-05-0[12] \d\d:00<\/t[dh]/g)).to.have.length(30);
    expect(document.match(/<svg /g)).to.have.length(3);
  });

  it('begins with the sentence, the month, the parts and what designs save', async () => {
    const document = await createDocument(await reportOf(busyHours(2)), log);
    const order = [
      '$0.60 for these 1,000 entries.',
      '$133.09',
      '100 tokens an entry, assumed',
      '>90 %<',
      'Charts</h2>',
    ];
    const found = order.map((text) => document.indexOf(text));
    expect(found)
      .to.deep.equal([...found].sort((a, b) => a - b))
      .and.not.to.include(-1);
    expect(document).to.contain('Batch of 50 <b>(cheapest)</b>').and.to.contain('Amazon Web Services');
  });

  it('names the fields with personal data, those with the most entries first', async () => {
    const fields = Array.from({ length: 10 }, (_, at): [string, number] => [`user<${at}>`, 20 - at]);
    const piiFields = { entriesRead: 100, byType: new Map([['email' as const, fields]]) };
    const document = await createDocument({ ...(await reportOf(busyHours(2))), piiFields }, log);
    expect(document).to.contain('>user&lt;0&gt; (20), ').and.to.contain('user&lt;7&gt; (13) and 2 more<');
    expect(document).to.contain('The fields are those of the newest 100 entries.');
  });

  it('has fonts for the scripts of a name, and only the files that it needs', async () => {
    const length = async (name: string) => (await createDocument(await reportOf([], name), log)).length;
    const families = async (name: string) =>
      [...(await createDocument(await reportOf([], name), log)).matchAll(/font-family: '([^']+)'/g)].map(
        ([, family]) => family,
      );
    const name = 'ログ 로그 语言 ไทย עברית العربية 🚀';
    expect(new Set(await families(name))).to.include.all.keys(
      'Noto Sans',
      'Noto Sans JP Variable',
      'Noto Sans KR Variable',
      'Noto Sans SC Variable',
      'Noto Sans Thai',
      'Noto Sans Hebrew',
      'Noto Sans Arabic',
      'Noto Emoji Variable',
    );
    expect(new Set(await families('Peak season'))).to.deep.equal(new Set(['Noto Sans']));
    expect(await length(name)).to.be.lessThan(1_500_000);
    expect(warnings).to.deep.equal([]);
    await length('ༀ');
    expect(warnings).to.deep.equal([
      ['report has characters without a glyph', { report_id: '5b9b0b06-36a0-4c53-8a2c-33a5f5d1b111', characters: 'ༀ' }],
    ]);
  });

  it('leaves out hours without entries and charts that would be empty, and says so where rows are missing', async () => {
    const [first, last] = [buildHour({ queue: 1n }), buildHour({ at: 9, queue: 1n })];
    const document = await createDocument(await reportOf([first, last]), log);
    const rows = [...document.matchAll(/(2026-05-01 \d\d:00)<\/t[dh]/g)].map(([, start]) => start);
    expect(rows).to.deep.equal(['2026-05-01 00:00', '2026-05-01 09:00']);
    expect(document).to.contain('Hours without log entries are left out.').and.not.to.contain('The table has only');
    expect(document.match(/<svg /g)).to.have.length(2);
    const years = await createDocument(await reportOf([first, buildHour({ at: 24 * 2_100, queue: 1n })]), log);
    expect(years).to.contain('The table has only the first 2,000 days.').and.to.contain('Days without log entries');
  });

  it('shows texts of callers as text, and runs and fetches nothing', async () => {
    const document = await createDocument(await reportOf(busyHours(2), hostileName), log);
    expect(document).not.to.contain('<img').and.not.to.contain('<script');
    expect(document).to.contain('&lt;img src=x onerror=alert(1)&gt; &amp; ');
    // Every address is that of a font in the document itself, or of a part of a chart.
    expect(document)
      .not.to.match(/<[^>]*\s(?:src|href)\s*=/)
      .and.not.to.match(/url\(\s*['"]?(?!['"]?(?:#|data:))/);
  });

  it('has the assumptions of a pipeline', async () => {
    const { scenario, ...data } = await reportOf(busyHours(2));
    const pipeline = { levels: ['error' as const], function: { batch_size: 50, window_seconds: 60 } };
    const withPipeline = { ...data, scenario: { ...scenario, assumptions: applyDefaults({ pipeline }) } };
    const document = await createDocument(withPipeline, log);
    expect(document).to.contain('Usage is that of the pipeline').and.to.contain('up to 50 messages in 60 s');
    expect(document).to.contain('<dd>error, 1 per send, 5 pollers</dd>');
    expect(await createDocument({ ...data, scenario }, log)).not.to.contain('pipeline');
  });

  it('says so where there are no entries', async () => {
    const document = await createDocument(await reportOf([]), log);
    expect(document).to.contain('No entries are in this period.').and.not.to.contain('<svg ');
  });
});

describe('a PDF report', () => {
  let browser: Browser | undefined;
  let starts = 0;
  const pdfPrinter = createPdfPrinter({
    launch: async () => {
      starts += 1;
      browser = await launchBrowser(testChromium);
      return browser;
    },
    timeoutMs: 60_000,
  });
  const never = new AbortController().signal;
  const print = async (data: ReportData, signal = never) =>
    Buffer.from(await pdfPrinter.print(await createDocument(data, log), signal));
  after(() => pdfPrinter.close());

  it('is a tagged document of several pages with embedded fonts, from one warm browser', async () => {
    const data = await reportOf(busyHours(200));
    const [first, second] = [await print(data), await print(data)];
    for (const pdf of [first, second]) {
      const text = pdf.toString('latin1');
      expect(text.startsWith('%PDF-')).to.equal(true);
      expect(text.match(/\/Type\s*\/Page\b/g)?.length).to.be.greaterThan(4);
      expect(text).to.contain('/MarkInfo').and.to.contain('/StructTreeRoot').and.to.contain('/FontFile');
      expect(text).to.match(/\/Lang\s*\(en\)/);
    }
    expect(starts).to.equal(1);
  });

  it('fetches nothing from the network and from files', async () => {
    let requests = 0;
    const server = createServer((_, response) => {
      requests += 1;
      response.end('body { color: red }');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const html =
      `<link rel="stylesheet" href="${url}/a.css"><img src="${url}/b.png"><iframe src="${url}/c"></iframe>` +
      `<img src="file:///etc/passwd"><iframe src="file:///etc/passwd"></iframe><script>fetch("${url}/d")</script>` +
      `<style>@import "${url}/e.css"; body { background: url(${url}/f.png) }</style>text`;
    const pdf = Buffer.from(await pdfPrinter.print(html, never));
    server.close();
    expect((await readPdfText(new Uint8Array(pdf))).trim()).to.equal('text');
    expect(requests).to.equal(0);
  });

  it('fails if the browser is killed, and the next one is rendered by a new browser', async () => {
    browser?.once('targetcreated', () => browser?.process()?.kill('SIGKILL'));
    const rendering = print(await reportOf(busyHours(50))).then(
      () => 'rendered',
      () => 'failed',
    );
    expect(await rendering).to.equal('failed');
    expect((await print(await reportOf([]))).length).to.be.greaterThan(1_000);
    expect(starts).to.equal(2);
  });

  it('fails if the browser hangs, which is killed', async () => {
    let hanging = 0;
    const printer = createPdfPrinter({
      launch: async (timeoutMs) => {
        const launched = await launchBrowser(testChromium, timeoutMs);
        hanging = launched.process()?.pid ?? 0;
        launched.once('targetcreated', () => process.kill(hanging, 'SIGSTOP'));
        return launched;
      },
      timeoutMs: 500,
    });
    const error = await printer.print('text', never).catch((thrown: Error) => thrown);
    expect(error).to.have.property('name', 'ProtocolError');
    await waitUntil('the browser to end', async () => !(await isRunning(hanging)));
    await printer.close();
  });

  it('the rendering of a PDF stops with its job', async () => {
    const abort = new AbortController();
    const data = await reportOf(busyHours(100));
    const rendering = print(data, abort.signal).then(
      () => 'rendered',
      () => 'stopped',
    );
    abort.abort();
    expect(await rendering).to.equal('stopped');
  });
});
