import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { createAccount, createApiKey } from '../support/accounts.ts';
import { useBuiltCommand } from '../support/built-command.ts';
import { encode, requestOf } from '../support/otlp.ts';
import { type Fault, startHttpProxy } from '../support/proxy.ts';
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

const sentLines = Array.from(
  { length: 100_000 },
  (_, at) => `2026-05-01T10:00:00Z INFO line ${at} of a log that is sent`,
);

describe('the command beside the service', () => {
  const service = startTestService();
  const command = useBuiltCommand();

  for (const [name, bytes, encoding] of logs) {
    it(`an estimate has the figures of the service to the last digit: ${name}`, async () => {
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

  it('`send` sends a log once, however often the command runs, and goes on after an interruption', async () => {
    const { id } = await createRunningScenario(service);
    const path = join(command.folder, 'sent.log');
    await writeFile(path, sentLines.join('\n'));
    // The second request is refused once, and the response to the third one is lost.
    const faults: (Fault | undefined)[] = [
      undefined,
      { status: 503, headers: { 'Retry-After': '1' }, body: '{}' },
      'reset after work',
    ];
    const proxy = await startHttpProxy(service.url);
    proxy.faultFor = () => faults.shift();
    const first = await command.run(['send', path, '--to', proxy.url, '--scenario', id]);
    await proxy.stop();
    expect(first.stderr).to.equal('');
    expect(first.stdout).to.match(/^100,000 entries are accepted, 1 of \d+ requests had arrived before\.\n$/);
    const again = await command.run(['send', path, '--to', service.url, '--scenario', id]);
    expect(again.stdout).to.match(/^100,000 entries are accepted, (\d+) of \1 requests had arrived before\.\n$/);
    await flush(service, id);
    expect((await getMetrics(service, id)).totals.logs).to.equal(sentLines.length);
  });

  it('`send` is refused for a log that has grown, whose last request would be counted twice', async () => {
    const { id } = await createRunningScenario(service);
    const path = join(command.folder, 'grown.log');
    await writeFile(path, sentLines.slice(0, 100).join('\n'));
    const { key } = await createApiKey(service, await createAccount(service));
    const send = () =>
      command.run(['send', path, '--to', service.url, '--scenario', id], { env: { METERBOOK_API_KEY: key } });
    expect((await send()).stdout).to.equal('100 entries are accepted.\n');
    await appendFile(path, '\na line more');
    const { code, stderr } = await send();
    expect([code, stderr]).to.deep.equal([
      2,
      `meterbook: ${service.url} has another text of this log: send the lines that are new as a log of their own.\n`,
    ]);
  });

  it('`send` says why a service refuses a log, or is not reachable', async () => {
    const path = join(command.folder, 'refused.log');
    await writeFile(path, 'one line');
    const unknown = '6f6fb4b1-5c0e-4d3c-9a53-3f2b8a6f1c11';
    const refused = await command.run(['send', path, '--to', service.url, '--scenario', unknown]);
    expect([refused.code, refused.stderr]).to.deep.equal([
      2,
      `meterbook: ${service.url} responds with 404: Scenario ${unknown} does not exist.\n`,
    ]);
    const address = await command.run(['send', path, '--to', 'ftp://nowhere', '--scenario', unknown]);
    expect(address.stderr).to.include('is not an address');
  });
});
