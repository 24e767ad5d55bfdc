import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { SaxesParser } from 'saxes';
import { createRunningScenario, getMetrics, ingest } from '../support/requests.ts';
import { startTestService } from '../support/test-service.ts';

/** The names of elements and the texts of an SVG. Throws if it is not well-formed. */
function parseSvg(svg: string): { elements: Set<string>; attributes: Set<string>; texts: string[] } {
  const parsed = { elements: new Set<string>(), attributes: new Set<string>(), texts: [] as string[] };
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    parsed.elements.add(name);
    for (const attribute of Object.keys(attributes)) parsed.attributes.add(attribute);
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
    it(`of ${kind} in SVG are documents with title, units, legend and the figures of the metrics`, async () => {
      const response = await get(`${kind}.svg`);
      expect(response.status, response.text).to.equal(200);
      expect(Object.fromEntries(response.headers)).to.include({
        'content-type': 'image/svg+xml; charset=utf-8',
        'cache-control': 'private, no-cache',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
      });
      const { elements, attributes, texts } = parseSvg(response.text);
      expect([...elements]).to.include.members(['svg', 'title', 'desc', 'path', 'text']);
      expect([...elements, ...attributes].join(' ')).not.to.match(/script|href|foreignObject|\bon/i);
      const all = texts.join('\n');
      const { totals, cost_breakdown: breakdown } = await getMetrics(service, id);
      expect(all).to.contain(title).and.to.contain(axis).and.to.contain('Peak & "season"');
      expect(all).to.contain('2026-05-01 00:00 to 2026-05-02 06:00 UTC');
      if (kind.startsWith('cost')) {
        for (const figure of [totals.cost, ...breakdown.map(({ cost }: { cost: string }) => cost)]) {
          const cents = Number(figure).toFixed(2);
          expect(all).to.contain(cents === '0.00' ? '< 0.01 USD' : `${cents} USD`);
        }
      } else {
        expect(all).to.contain(String(totals.pii_logs));
      }
    });
  }
});
