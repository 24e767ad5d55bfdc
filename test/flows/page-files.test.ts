import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { get } from 'node:http';
import { brotliDecompressSync } from 'node:zlib';
import { expect } from 'chai';
import { startTestService } from '../support/test-service.ts';

/** Compressed. */
const maxFirstLoad = 110_000;

describe('the files of the page', () => {
  const service = startTestService({ workers: false, environment: { AUTH_MODE: 'strict', REGISTRATION: 'closed' } });

  /** Unlike fetch, it does not decompress. */
  async function read(path: string, headers: Record<string, string> = {}) {
    const [response] = (await once(get(`${service.url}${path}`, { headers }), 'response')) as [IncomingMessage];
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    return { status: response.statusCode, headers: response.headers, bytes: Buffer.concat(chunks) };
  }

  const filesOf = (html: string) => [...html.matchAll(/(?:href|src)="(page\/[^"]+)"/g)].map(([, path]) => `/${path}`);

  it('the files that the page loads first are small, compressed and cached by browsers', async () => {
    const browser = { 'Accept-Encoding': 'gzip, deflate, br' };
    const document = await read('/');
    expect(document.status).to.equal(200);
    const files = filesOf(document.bytes.toString());
    // The icon, the style sheet and the bundle.
    expect(files).to.have.length(3);
    let size = document.bytes.length;
    for (const path of files) {
      const { status, headers, bytes } = await read(path, browser);
      expect(status, path).to.equal(200);
      // The icon has less than 1 KB.
      expect(headers['content-encoding'], path).to.equal(path.endsWith('.svg') ? undefined : 'br');
      expect(headers.vary).to.contain('Accept-Encoding');
      if (!path.endsWith('.svg')) expect(headers['cache-control']).to.equal('public, max-age=31536000, immutable');
      size += bytes.length;
      const plain = await read(path);
      expect(plain.headers['content-encoding']).to.equal(undefined);
      const whole = headers['content-encoding'] ? brotliDecompressSync(bytes) : bytes;
      expect(whole.equals(plain.bytes), path).to.equal(true);
    }
    expect(size).to.be.below(maxFirstLoad);
  });

  it('the page has no inline script and no inline style, and forbids them and files of other hosts', async () => {
    const { headers, bytes } = await read('/');
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
    const { bytes, headers } = await read('/');
    const content = /<meta name="meterbook" content="([^"]*)">/.exec(bytes.toString())?.[1] ?? '';
    expect(JSON.parse(content.replaceAll('&quot;', '"'))).to.deep.equal({
      auth_mode: 'strict',
      registration: 'closed',
      notebooks: '0.1.0',
    });
    expect(headers['cache-control']).to.equal('no-cache');
    expect((await read('/', { 'If-None-Match': String(headers.etag) })).status).to.equal(304);
  });

  it('files outside of the bundle are not found', async () => {
    for (const path of ['/page/main.tsx', '/page/..%2f..%2fpackage.json', '/page/%2e%2e/package.json', '/page/']) {
      expect((await read(path)).status, path).to.equal(404);
    }
  });
});
