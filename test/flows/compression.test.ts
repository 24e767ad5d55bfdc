import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { createSender } from '../support/members.ts';
import { readyReport } from '../support/reports.ts';
import { createRunningScenario, createScenario, ingest } from '../support/requests.ts';
import { startTestService } from '../support/test-service.ts';

const decode = { br: brotliDecompressSync, gzip: gunzipSync };

/** Compressed. */
const maxFirstLoad = 110_000;

describe('compression', () => {
  const service = startTestService();
  let scenarioId = '';
  before(async () => {
    ({ id: scenarioId } = await createRunningScenario(service));
    const firstHours = Array.from({ length: 10 }, (_, hour) => `2026-05-01T0${hour}:00:00Z`);
    const entries = [...firstHours, '2026-06-03T07:00:00Z'].map((timestamp) => ({ message: 'x', timestamp }));
    expect((await ingest(service, scenarioId, entries)).status).to.equal(200);
  });

  /** Unlike fetch, it adds no headers and does not decompress. */
  async function send(path: string, headers: Record<string, string> = {}, method = 'GET') {
    const sent = request(`${service.url}${path}`, { method, headers }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    const encoding = response.headers['content-encoding'] as keyof typeof decode | undefined;
    const bytes = Buffer.concat(chunks);
    const whole = encoding && bytes.length > 0 ? decode[encoding](bytes) : bytes;
    return { status: response.statusCode, headers: response.headers, encoding, bytes, whole };
  }
  const accept = (encodings: string) => ({ 'Accept-Encoding': encodings });
  const metricsPath = () => `/api/v1/scenarios/${scenarioId}/metrics?limit=800`;

  it('makes metrics of 800 hours less than a tenth, in the encoding that the client prefers', async () => {
    const plain = await send(metricsPath());
    expect([plain.status, plain.encoding]).to.deep.equal([200, undefined]);
    expect(JSON.parse(plain.bytes.toString()).timeseries).to.have.length(800);
    const expected: [string, string | undefined][] = [
      ['gzip', 'gzip'],
      ['gzip, deflate, br', 'br'],
      ['br;q=0.4, gzip;q=0.8', 'gzip'],
      ['gzip;q=0', undefined],
      ['gzip;q=0.1, identity', undefined],
      ['identity;q=0, *;q=0.5', 'br'],
      ['', undefined],
    ];
    for (const [header, encoding] of expected) {
      const response = await send(metricsPath(), accept(header));
      expect(response.encoding, header).to.equal(encoding);
      expect(response.headers.vary, header).to.contain('Accept-Encoding');
      expect(response.whole.equals(plain.bytes), header).to.equal(true);
      expect(response.headers['content-length'], header).to.equal(String(response.bytes.length));
      if (encoding) expect(response.bytes.length, header).to.be.below(plain.bytes.length / 10);
    }
  });

  it('leaves responses under 1 KB as they are, unless the client refuses that', async () => {
    const path = '/api/v1/scenarios?search=nothing';
    const small = await send(path, accept('gzip'));
    expect([small.encoding, small.headers.vary]).to.deep.equal([undefined, 'Accept-Encoding']);
    expect((await send(path, accept('gzip, identity;q=0'))).encoding).to.equal('gzip');
  });

  it('gives the OpenAPI document an ETag, which is weak if it was compressed', async () => {
    const plain = await send('/openapi.json');
    const tag = String(plain.headers.etag);
    expect(tag).to.match(/^"[\w-]{22}"$/);
    for (const encoding of ['gzip', 'br']) {
      const packed = await send('/openapi.json', accept(encoding));
      expect(packed.encoding).to.equal(encoding);
      expect(packed.headers.etag).to.equal(`W/${tag}`);
      expect(packed.whole.equals(plain.bytes)).to.equal(true);
      expect(packed.bytes.length).to.be.below(plain.bytes.length / 8);
      const head = await send('/openapi.json', accept(encoding), 'HEAD');
      const { date: _, 'x-request-id': _id, ...headers } = packed.headers;
      expect(head.headers).to.deep.include(headers);
    }
    for (const sent of [tag, `W/${tag}`, tag.replace(/"$/, '-gzip"')]) {
      const same = await send('/openapi.json', { ...accept('gzip'), 'If-None-Match': sent });
      expect([same.status, same.bytes.length], sent).to.deep.equal([304, 0]);
      expect(same.headers.etag, sent).to.equal(sent.startsWith('W/') ? sent : tag);
      expect(same.headers.vary).to.contain('Accept-Encoding');
    }
  });

  it('leaves a tag valid in If-Match, also as proxies change it that compress', async () => {
    const { id } = await createScenario(service);
    for (const [tag, status] of [
      ['W/"1"', 200],
      ['"2-gzip"', 200],
      ['W/"3-br"', 200],
      ['W/"3"', 412],
    ] as const) {
      const options = { headers: { 'If-Match': tag }, body: { description: tag } };
      expect((await service.request('PUT', `/api/v1/scenarios/${id}`, options)).status, tag).to.equal(status);
    }
  });

  it('sends a CSV compressed as a stream, and ranges of the file as they are', async () => {
    const sender = await createSender(service);
    const { id, sha256, size_bytes: size } = await readyReport(sender, scenarioId);
    const path = `/api/v1/reports/${id}/download`;
    const packed = await send(path, { ...sender.headers, ...accept('gzip') });
    expect([packed.status, packed.encoding]).to.deep.equal([200, 'gzip']);
    expect(createHash('sha256').update(packed.whole).digest('hex')).to.equal(sha256);
    expect(packed.bytes.length).to.be.below(Number(size) / 2);
    expect(packed.headers).not.to.have.any.keys('accept-ranges', 'content-length');
    expect(packed.headers.etag).to.equal(`W/"${sha256}"`);

    const range = { ...sender.headers, ...accept('gzip'), Range: 'bytes=10-29' };
    const part = await send(path, range);
    expect([part.status, part.encoding, part.headers.etag]).to.deep.equal([206, undefined, `"${sha256}"`]);
    expect(part.bytes.equals(packed.whole.subarray(10, 30))).to.equal(true);
    // A range of the file does not continue a compressed download.
    const other = await send(path, { ...range, 'If-Range': String(packed.headers.etag) });
    expect([other.status, other.whole.length]).to.deep.equal([200, Number(size)]);
  });

  describe('the files of the page', () => {
    const filesOf = (html: string) => [...html.matchAll(/(?:href|src)="(page\/[^"]+)"/g)].map(([, path]) => `/${path}`);

    it('the files that the page loads first are small, compressed and cached by browsers', async () => {
      const document = await send('/');
      expect(document.status).to.equal(200);
      const files = filesOf(document.bytes.toString());
      // The icon, the style sheet and the bundle.
      expect(files).to.have.length(3);
      let size = document.bytes.length;
      for (const path of files) {
        const { status, headers, bytes, encoding, whole } = await send(path, accept('gzip, deflate, br'));
        // The icon has less than 1 KB.
        expect([status, encoding], path).to.deep.equal([200, path.endsWith('.svg') ? undefined : 'br']);
        expect(headers.vary).to.contain('Accept-Encoding');
        if (!path.endsWith('.svg')) expect(headers['cache-control']).to.equal('public, max-age=31536000, immutable');
        size += bytes.length;
        const plain = await send(path);
        expect(plain.encoding).to.equal(undefined);
        expect(whole.equals(plain.bytes), path).to.equal(true);
      }
      expect(size).to.be.below(maxFirstLoad);
    });

    it('the page has no inline script and no inline style, and forbids them and files of other hosts', async () => {
      const { headers, bytes } = await send('/');
      const policy = String(headers['content-security-policy']);
      expect(policy).not.to.match(/unsafe|https?:|\*/);
      expect(policy.split('; ')).to.include.members([
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
      ]);
      const html = bytes.toString();
      expect(html).not.to.match(/<script(?![^>]*\bsrc=)|<style|\son\w+=|\sstyle=|https?:/);
    });

    it('the page is sent with the settings of the service by which it asks for credentials only if they are needed', async () => {
      const { bytes, headers } = await send('/');
      const content = /<meta name="meterbook" content="([^"]*)">/.exec(bytes.toString())?.[1] ?? '';
      expect(JSON.parse(content.replaceAll('&quot;', '"'))).to.deep.equal({
        auth_mode: 'documented',
        registration: 'open',
        notebooks: '0.1.0',
      });
      expect(headers['cache-control']).to.equal('no-cache');
      expect((await send('/', { 'If-None-Match': String(headers.etag) })).status).to.equal(304);
    });

    it('files outside of the bundle are not found', async () => {
      for (const path of ['/page/main.tsx', '/page/..%2f..%2fpackage.json', '/page/%2e%2e/package.json', '/page/']) {
        expect((await send(path)).status, path).to.equal(404);
      }
    });
  });
});
