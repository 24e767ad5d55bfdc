import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { useBuiltCommand } from '../support/built-command.ts';
import { encode, requestOf } from '../support/otlp.ts';
import { createRunningScenario, flush, getMetrics } from '../support/requests.ts';
import { startTestService } from '../support/test-service.ts';

const times = Array.from(
  { length: 40 },
  (_, at) => new Date(Date.UTC(2026, 4, 1 + (at % 3), at % 24, (at * 7) % 60, at)),
);
const lines = (line: (time: Date, at: number) => string) => times.map(line).join('\n');
const iso = (time: Date) => time.toISOString();
const json = (record: (time: Date, at: number) => object) => lines((time, at) => JSON.stringify(record(time, at)));

const text = lines(
  (time, at) => `${iso(time)} ${at % 4 ? 'INFO' : 'ERROR'} user jane${at}@example.com paid by 4111 1111 1111 1111`,
);
const usages = json((time, at) => ({
  timestamp: iso(time),
  level: 'info',
  message: `call ${at}`,
  usage: { input_tokens: 1_200 + at, output_tokens: 80, cache_read_input_tokens: 500 },
  model: at % 2 ? 'claude-sonnet-4-5' : 'a model that nobody knows',
}));
const docker = json((time, at) => ({
  log: `line ${at} of a container${at % 5 ? '\n' : ''}`,
  stream: 'stdout',
  time: iso(time),
}));
const exports = times.map((time, at) =>
  requestOf(
    [
      {
        timeUnixNano: `${time.getTime()}000000`,
        severityText: 'ERROR',
        body: { stringValue: `failure ${at}` },
        attributes: [{ key: 'user', value: { stringValue: 'joe@example.com' } }],
      },
    ],
    { attributes: [{ key: 'service.name', value: { stringValue: 'shop' } }] },
  ),
);
const otlp = exports.map((request) => JSON.stringify(request)).join('\n');
const protobuf = Buffer.concat(exports.map((request) => encode(request, 'protobuf')));
const untimed = Array.from({ length: 30 }, (_, at) => `no time here, only line ${at}`).join('\r\n');
const mixed = `${text}\n\n{"broken": \n${'x'.repeat(300_000)}\n`;

const logs: readonly [name: string, bytes: Uint8Array, encoding?: string][] = [
  ['text', Buffer.from(text)],
  ['JSON with usages', Buffer.from(usages)],
  ['OTLP of a collector', Buffer.from(otlp)],
  ['OTLP in protobuf', protobuf],
  ['Docker', Buffer.from(docker)],
  ['UTF-16', Buffer.from(`\ufeff${text}`, 'utf16le')],
  ['gzip', gzipSync(text), 'gzip'],
  ['lines without a time', Buffer.from(untimed)],
  ['lines that are rejected', Buffer.from(mixed)],
];

describe('an estimate of a log', () => {
  const service = startTestService();
  const command = useBuiltCommand();

  for (const [name, bytes, encoding] of logs) {
    it(`has the figures of the service to the last digit: ${name}`, async () => {
      const { id } = await createRunningScenario(service, { region: 'eu-west-1' });
      const isProtobuf = bytes === protobuf;
      const type = isProtobuf ? 'application/x-protobuf' : 'application/octet-stream';
      const sent = await service.request('POST', `/ingest/${id}${isProtobuf ? '/v1/logs' : ''}`, {
        body: bytes,
        headers: { 'Content-Type': type, ...(encoding && { 'Content-Encoding': encoding }) },
      });
      expect(sent.status, sent.text).to.equal(200);
      await flush(service, id);
      const { totals, cost_breakdown, period } = await getMetrics(service, id);
      const { body: designs } = await service.request('POST', `/api/v1/scenarios/${id}/designs`);

      const file = join(command.folder, `${name}.log`);
      await writeFile(file, bytes);
      const arrival = totals.untimed > 0 ? (designs.observed.first as string) : '2026-06-01';
      const ended = await command.run(['estimate', file, '--region', 'eu-west-1', '--arrival', arrival, '--json']);
      expect(ended.stderr).to.equal('');
      const estimate = JSON.parse(ended.stdout);
      expect({ pending_entries: 0, failed_entries: 0, ...estimate.totals }).to.deep.equal(totals);
      expect(estimate).to.deep.include({ cost_breakdown, period });
      if (name.startsWith('OTLP')) {
        expect(estimate.personal_data[0]).to.deep.include({ type: 'email', field: 'user', findings: 40, entries: 40 });
      }
      const { observed, basis, present, items, cheapest, notes } = estimate;
      const { scenario_id: _, currency: __, price_book: ___, period: ____, ...compared } = designs;
      // The pollers of a design wait until now if the entries are of this hour.
      const designsOf = totals.untimed > 0 ? [] : items;
      const expected = { ...compared, items: totals.untimed > 0 ? [] : compared.items };
      expect({ observed, basis, present, items: designsOf, cheapest, notes }).to.deep.equal(expected);
      const counts = isProtobuf ? { accepted: 40, rejected: 0, skipped: 0 } : sent.body;
      const [{ entries: accepted }] = estimate.inputs;
      const [{ rejected } = { rejected: 0 }] = estimate.not_understood;
      expect(counts).to.include({ accepted, rejected, skipped: estimate.skipped });
    });
  }
});
