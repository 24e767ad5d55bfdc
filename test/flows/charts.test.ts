import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { SaxesParser } from 'saxes';
import { createRunningScenario, expectError, getMetrics, ingest } from '../support/requests.ts';
import { startTestService } from '../support/test-service.ts';

/** The names of elements and attributes and the texts of an SVG. Throws if it is not well-formed. */
function parseSvg(svg: string): { names: Set<string>; texts: string[] } {
  const parsed = { names: new Set<string>(), texts: [] as string[] };
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    for (const each of [name, ...Object.keys(attributes)]) parsed.names.add(each);
  });
  parser.on('text', (text) => parsed.texts.push(text));
  parser.write(svg).close();
  return parsed;
}

describe('charts', () => {
  const service = startTestService();
  let id = '';
  const pathOf = (file: string, scenarioId = id) => `/api/v1/scenarios/${scenarioId}/charts/${file}`;
  const get = (file: string, headers: Record<string, string> = {}, scenarioId = id) =>
    service.request('GET', pathOf(file, scenarioId), { headers });

  const emptyPeriod = 'from=2026-06-01T00:00:00Z&to=2026-06-02T00:00:00Z';
  before(async () => {
    ({ id } = await createRunningScenario(service, { name: `Peak & "season" ${randomUUID()}` }));
    const entries = Array.from({ length: 60 }, (_, index) => ({
      message: index % 3 === 0 ? 'mail jane@example.com' : 'GET /',
      timestamp: new Date(Date.UTC(2026, 4, 1, index % 30)).toISOString(),
    }));
    expect((await ingest(service, id, entries)).status).to.equal(200);
  });

  for (const [kind, title, axis] of [
    ['cost-over-time', 'Cost over time', 'USD per hour'],
    ['cost-by-service', 'Cost by service', 'USD'],
    ['logs-over-time', 'Log entries over time', 'Entries per hour'],
    ['pii-by-type', 'Personal data by type', 'Findings'],
  ] as const) {
    it(`a chart of ${kind} in SVG has title, units, legend and the figures of the metrics`, async () => {
      const response = await get(`${kind}.svg`);
      expect(response.status, response.text).to.equal(200);
      expect(Object.fromEntries(response.headers)).to.include({
        'content-type': 'image/svg+xml; charset=utf-8',
        'cache-control': 'private, no-cache',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      });
      const { names, texts } = parseSvg(response.text);
      expect([...names]).to.include.members(['svg', 'title', 'desc', 'path', 'text']);
      expect([...names].join(' ')).not.to.match(/script|href|foreignObject|\bon/i);
      const all = texts.join('\n');
      const { totals, cost_breakdown: breakdown } = await getMetrics(service, id);
      expect(all).to.contain(title).and.to.contain(axis).and.to.contain('Peak & "season"');
      expect(all).to.contain('2026-05-01 00:00 to 2026-05-02 06:00 UTC');
      expect((await get(`${kind}.svg?${emptyPeriod}`)).text).to.contain('No entries in this period');
      if (kind.startsWith('cost')) {
        for (const figure of [totals.cost, ...breakdown.map(({ cost }: { cost: string }) => cost)]) {
          const cents = Number(figure).toFixed(2);
          expect(all).to.contain(cents === '0.00' ? '< 0.01 USD' : `${cents} USD`);
        }
        const ticks = texts.filter((text) => /^[\d.,]+$/.test(text)).map((text) => Number(text.replaceAll(',', '')));
        const total = Number(totals.cost);
        // The bars of 30 equal hours, or the bar of the dearest service.
        expect(Math.max(...ticks), 'the largest value of the axis').to.be.within(total / 40, total * 2);
      } else {
        expect(all).to.contain(String(totals.pii_logs));
      }
    });
  }

  it('a chart has a tag that changes with what it shows, and is not drawn again without a change', async () => {
    const first = await get('logs-over-time.svg');
    const tag = first.headers.get('ETag') ?? '';
    expect((await get('logs-over-time.svg')).text).to.equal(first.text);
    const again = await get('logs-over-time.svg', { 'If-None-Match': tag });
    expect([again.status, again.text]).to.deep.equal([304, '']);
    for (const file of ['pii-by-type.svg', 'logs-over-time.svg?theme=dark', 'logs-over-time.svg?interval=day']) {
      expect((await get(file, { 'If-None-Match': tag })).status, file).to.equal(200);
    }
    await ingest(service, id, { message: 'one more', timestamp: '2026-05-02T05:30:00Z' });
    expect((await get('logs-over-time.svg', { 'If-None-Match': tag })).status).to.equal(200);
  });

  it('a chart shows names of scenarios as text', async () => {
    const names = [
      '<img src=x onerror=alert(1)>]]>&amp;</text><script>alert(1)</script>',
      '\u202eשלום مرحبا',
      'n'.repeat(100),
    ];
    for (const name of names) {
      const scenario = await createRunningScenario(service, { name });
      await ingest(service, scenario.id, { message: 'a' });
      const { status, text } = await get('cost-over-time.svg', {}, scenario.id);
      expect(status, text).to.equal(200);
      expect([...parseSvg(text).names].join(' ')).not.to.match(/script|img|\bon/i);
    }
  });

  it('charts of unknown types and scenarios are not found', async () => {
    expectError(await get('cost-over-time.png'), 404, 'NOT_FOUND');
    expectError(await get('cost-over-time.svg', {}, randomUUID()), 404, 'NOT_FOUND');
    expectError(await get('cost-over-time.svg', {}, 'x'), 400, 'VALIDATION_ERROR', ['id']);
  });
});
