import { createHash, randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { createSender, type Sender } from '../support/members.ts';
import { finishedReport, parseCsv, readPdfText, readyReport, requestReport, sumColumn } from '../support/reports.ts';
import { createRunningScenario, createScenario, expectError, getMetrics, ingest } from '../support/requests.ts';
import { startTestService } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

const reports = '/api/v1/reports';
const identity = { 'Accept-Encoding': 'identity' };
/** The default of the service. */
const downloads = 10;

describe('reports', () => {
  const service = startTestService({ environment: { RATE_LIMIT_DOWNLOADS: String(downloads) } });
  let sender: Sender;
  let scenarioId: string;
  const entries = [
    { message: '=1+1', source: '@web', level: '-5.00', timestamp: '2026-05-01T00:10:00Z' },
    { message: 'says "hi", mail jane@example.com', source: '＠web, 1\n2', timestamp: '2026-05-01T00:20:00Z' },
    { message: 'Grüße 東京', source: '-1+2', timestamp: '2026-05-01T03:20:00Z' },
  ];
  before(async () => {
    sender = await createSender(service);
    ({ id: scenarioId } = await createRunningScenario(service, { name: `Größe: "peak" ${randomUUID()}` }));
    expect((await ingest(service, scenarioId, entries)).status).to.equal(200);
  });
  const download = (id: string, headers: Record<string, string> = {}) =>
    // A new account for each request, because downloads are limited by account.
    createSender(service).then((other) =>
      other.send('GET', `${reports}/${id}/download`, { headers: { ...identity, ...headers } }),
    );

  it('PDF reports show the totals of the metrics and of the CSV, to the last digit', async () => {
    const pdf = await readyReport(sender, scenarioId, { format: 'pdf', title: 'For finance' });
    const response = await fetch(`${service.url}${reports}/${pdf.id}/download`, { headers: sender.headers });
    expect(response.status).to.equal(200);
    expect(response.headers.get('Content-Type')).to.equal('application/pdf');
    expect(response.headers.get('Content-Disposition')).to.contain('For finance');
    expect(response.headers.get('Content-Length')).to.equal(String(pdf.size_bytes));
    // Lines of a document end anywhere.
    const text = (await readPdfText(new Uint8Array(await response.arrayBuffer()))).replaceAll(/\s/g, '');
    const { totals, cost_breakdown: services, price_book: book } = await getMetrics(service, scenarioId);
    const csv = parseCsv((await download((await readyReport(sender, scenarioId)).id)).text);

    for (const { service: id, cost } of services) {
      const rows = csv.filter((row) => row['service'] === id);
      expect(sumColumn(rows, 'cost')).to.equal(cost);
      expect(text, id).to.contain(cost);
    }
    expect(text).to.contain(totals.cost).and.to.contain(book.version);
    expect(text).to.contain('E-mailaddresses1message(1)');
  });

  it('CSV reports have a row per hour and service, and their columns add up to the metrics', async () => {
    const { id, size_bytes: size, sha256 } = await readyReport(sender, scenarioId);
    const response = await download(id);
    expect(response.status, response.text).to.equal(200);
    expect(response.headers.get('Content-Type')).to.equal('text/csv; charset=utf-8');
    expect(Number(response.headers.get('Content-Length'))).to.equal(size);
    expect(createHash('sha256').update(response.text).digest('hex')).to.equal(sha256);
    expect(response.text.split('\r\n')[0]).to.match(/^hour,service,logs,.*,price_book,remarks$/);
    const rows = parseCsv(response.text);
    const { totals, cost_breakdown: services, timeseries, price_book: book } = await getMetrics(service, scenarioId);
    expect(rows.map(({ hour, service: name }) => `${hour} ${name}`)).to.deep.equal(
      ['00', '03'].flatMap((hour) =>
        ['queue', 'function', 'inference'].map((name) => `2026-05-01T${hour}:00:00.000Z ${name}`),
      ),
    );
    expect(sumColumn(rows, 'cost')).to.equal(totals.cost);
    expect(sumColumn(rows, 'gb_seconds')).to.equal(totals.function_gb_seconds);
    const counts: [column: string, total: number][] = [
      ['logs', totals.logs],
      ['size_bytes', totals.size_bytes],
      ['pii_logs', totals.pii_logs],
      ['requests', totals.queue_requests],
      ['invocations', totals.function_invocations],
      ['input_tokens', totals.input_tokens],
      ['output_tokens', totals.output_tokens],
    ];
    for (const [column, total] of counts) expect(Number(sumColumn(rows, column)), column).to.equal(total);
    for (const [at, name] of ['queue', 'function', 'inference'].entries()) {
      expect(sumColumn(rows.slice(at, at + 1), 'cost')).to.equal(timeseries[0].cost[name]);
      expect(rows[at]).to.include({ status: services[at].status, price_book: book.version });
    }
  });

  it('CSV reports in the dialect of Excel begin with a byte order mark', async () => {
    const [plain, marked] = await Promise.all(
      [{}, { dialect: 'excel' }].map(async (dialect) => {
        const { id } = await readyReport(sender, scenarioId, { format: 'csv', detail: 'entries', ...dialect });
        const { body } = await sender.send('GET', `${reports}/${id}`);
        const file = await service.request('GET', `${reports}/${id}/download`, { headers: sender.headers });
        return { dialect: body.dialect, bytes: Buffer.from(file.bytes) };
      }),
    );
    expect([plain?.dialect, marked?.dialect]).to.deep.equal(['rfc4180', 'excel']);
    expect(marked?.bytes).to.deep.equal(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), plain?.bytes ?? Buffer.of()]));
  });

  it('CSV reports with detail=entries have a row per log entry, without formulas', async () => {
    const { body } = await sender.send('POST', `/api/v1/scenarios/${scenarioId}/reports?detail=entries`, {
      body: { format: 'csv' },
    });
    expect(body.detail).to.equal('entries');
    await finishedReport(sender, body.id);
    const rows = parseCsv((await download(body.id)).text);
    const batch = await ingest(service, scenarioId, [{ message: 'x', timestamp: '2026-05-02T00:00:00Z' }]);
    expect(rows.map(({ message_preview: preview }) => preview)).to.deep.equal([
      "'=1+1",
      'says "hi", mail [EMAIL]',
      'Grüße 東京',
    ]);
    expect(rows.map(({ source, level }) => [source, level])).to.deep.equal([
      ["'@web", '-5.00'],
      ["'＠web, 1\n2", ''],
      ["'-1+2", ''],
    ]);
    expect(rows[0]?.['message_hash']).to.equal(createHash('sha256').update('=1+1').digest('hex'));
    expect(rows[1]?.['pii']).to.equal('email 1');
    expect(rows[2]?.['timestamp']).to.equal('2026-05-01T03:20:00.000Z');
    expect(rows[0]?.['total_cost']).to.match(/^\d+\.\d{12}$/);
    expect(batch.status).to.equal(200);
  });

  it('reports of a period have the figures of the metrics of that period', async () => {
    const period = { from: '2026-05-01T03:00:00Z', to: '2026-05-01T04:00:00Z' };
    const { id } = await readyReport(sender, scenarioId, { format: 'csv', ...period });
    const rows = parseCsv((await download(id)).text);
    const metrics = await getMetrics(service, scenarioId, `?from=${period.from}&to=${period.to}`);
    expect(metrics.totals.logs).to.equal(1);
    expect(Number(sumColumn(rows, 'logs'))).to.equal(1);
    expect(sumColumn(rows, 'cost')).to.equal(metrics.totals.cost);
  });

  it('reports are listed with filters and pages', async () => {
    const { id } = await createScenario(service);
    const { id: one } = await readyReport(sender, id, { format: 'csv', title: 'first' });
    const { id: two } = await readyReport(sender, id);
    const list = async (query: string) => (await sender.send('GET', `${reports}?scenario_id=${id}${query}`)).body;
    const idsOf = (body: { items: { id: string }[] }) => body.items.map((item) => item.id);
    expect(idsOf(await list(''))).to.deep.equal([two, one]);
    expect(await list('&page_size=1&page=2')).to.deep.include({ total: 2, page: 2, page_size: 1 });
    expect(idsOf(await list('&page_size=1&page=2'))).to.deep.equal([one]);
    expect(idsOf(await list('&status=ready&format=csv'))).to.deep.equal([two, one]);
    expect(idsOf(await list('&status=failed'))).to.deep.equal([]);
    expect(idsOf(await list('&format=pdf'))).to.deep.equal([]);
  });

  it('reports are downloaded in ranges, under a safe name', async () => {
    const {
      id,
      size_bytes: size,
      sha256,
    } = await readyReport(sender, scenarioId, {
      format: 'csv',
      title: '../../etc/pass"wd\u202e; 東京',
    });
    const whole = await download(id);
    expect(whole.headers.get('Content-Disposition')).to.match(
      /^attachment; filename="etc-pass-wd- \?\? \d{4}-\d\d-\d\d\.csv"; filename\*=UTF-8''etc-pass-wd-%20%E6%9D%B1%E4%BA%AC%20[\d-]+\.csv$/,
    );
    expect(whole.headers.get('ETag')).to.equal(`"${sha256}"`);
    const part = async (range: string, more: Record<string, string> = {}) => download(id, { Range: range, ...more });
    const first = await part('bytes=0-9');
    expect([first.status, first.text]).to.deep.equal([206, whole.text.slice(0, 10)]);
    expect(first.headers.get('Content-Range')).to.equal(`bytes 0-9/${size}`);
    const last = await part('bytes=-5', { 'If-Range': `"${sha256}"` });
    expect([last.status, last.text]).to.deep.equal([206, whole.text.slice(-5)]);
    expect((await part(`bytes=5-`, { 'If-Range': '"another"' })).status).to.equal(200);
    expect((await part('bytes=0-1,3-4')).status).to.equal(200);
    const outside = await part(`bytes=${size}-`);
    expectError(outside, 416, 'RANGE_NOT_SATISFIABLE');
    expect(outside.headers.get('Content-Range')).to.equal(`bytes */${size}`);
    expect((await download(id, { 'If-None-Match': `"${sha256}"` })).status).to.equal(304);
    const head = await sender.send('HEAD', `${reports}/${id}/download`, { headers: identity });
    expect([head.status, head.headers.get('Content-Length')]).to.deep.equal([200, String(size)]);
  });

  it('reports are downloaded a limited number of times per minute', async () => {
    const { id } = await readyReport(sender, scenarioId);
    const other = await createSender(service);
    for (let count = 0; count < downloads; count += 1) {
      // A refused request is no download.
      expectError(await other.send('GET', `${reports}/${randomUUID()}/download`), 404, 'NOT_FOUND');
      expect((await other.send('GET', `${reports}/${id}/download`)).status).to.equal(200);
    }
    expectError(await other.send('GET', `${reports}/${id}/download`), 429, 'RATE_LIMITED');
  });

  it('reports are deleted with their files', async () => {
    const { id } = await readyReport(sender, scenarioId);
    const { fileId } = (await service.app.models.report.findById(id).lean()) ?? {};
    const parts = () => service.app.mongo.collection('report_files.chunks').countDocuments({ files_id: fileId });
    expect(await parts()).to.equal(1);
    expect((await sender.send('DELETE', `${reports}/${id}`)).status).to.equal(204);
    for (const path of ['', '/download'])
      expectError(await sender.send('GET', `${reports}/${id}${path}`), 404, 'NOT_FOUND');
    expectError(await sender.send('DELETE', `${reports}/${id}`), 404, 'NOT_FOUND');
    await waitUntil('the file to be removed', async () => (await parts()) === 0);
  });

  it('reports without a worker are queued, cannot be downloaded, and go with their scenario', async () => {
    const { id: scenario } = await createScenario(service);
    const { id: ready } = await readyReport(sender, scenario);
    await service.stopWorkers();
    const report = await requestReport(sender, scenario, { format: 'pdf' });
    expect(report).to.include({ status: 'queued', progress: 0, size_bytes: null, sha256: null });
    expectError(await sender.send('GET', `${reports}/${report.id}/download`), 409, 'INVALID_STATE');
    await service.startWorkers();
    await service.request('DELETE', `/api/v1/scenarios/${scenario}`);
    await waitUntil('the reports to be removed', async () => {
      const found = [ready, report.id].map((id) => sender.send('GET', `${reports}/${id}`));
      return (await Promise.all(found)).every(({ status }) => status === 404);
    });
  });

  it('a report requires a valid request', async () => {
    const post = (body: object, query = '') =>
      sender.send('POST', `/api/v1/scenarios/${scenarioId}/reports${query}`, { body });
    const cases: [object, string[], string?][] = [
      [{ format: 'docx' }, ['format']],
      [{}, ['format']],
      [{ format: 'csv', detail: 'lines', extra: 1 }, ['detail', 'extra']],
      [{ format: 'csv', dialect: 'xlsx' }, ['dialect']],
      [{ format: 'pdf', detail: 'entries', dialect: 'excel' }, ['detail', 'dialect']],
      [{ format: 'pdf' }, ['detail'], '?detail=entries'],
      [{ format: 'csv', detail: 'hours' }, ['detail'], '?detail=entries'],
      [{ format: 'csv', from: '2026-05-02', to: '2026-05-01' }, ['from']],
      [{ format: 'csv', from: '2020-01-01', to: '2020-02-01' }, ['from', 'to']],
      [{ format: 'csv', from: '2026-06-01' }, ['from']],
      [{ format: 'csv', to: '2026-05-01' }, ['to']],
      [{ format: 'csv', title: ' ', from: 'yesterday' }, ['title', 'from']],
    ];
    for (const [body, fields, query] of cases) expectError(await post(body, query), 400, 'VALIDATION_ERROR', fields);
    expectError(
      await sender.send('POST', `/api/v1/scenarios/${randomUUID()}/reports`, { body: { format: 'csv' } }),
      404,
      'NOT_FOUND',
    );
    expectError(await service.request('GET', reports), 401, 'AUTH_ERROR');
  });
});
