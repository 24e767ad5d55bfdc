import { expect } from 'chai';
import { createRunningScenario, expectError, getMetrics } from '../support/requests.ts';
import { startTestService } from '../support/test-service.ts';

describe('log entries that are sent in a form that ingest does not take', () => {
  const service = startTestService({ workers: false });
  let id = '';
  before(async () => {
    ({ id } = await createRunningScenario(service));
  });
  const send = (method: string, path: string, type: string, body = 'a line\n') =>
    service.request(method, path, { headers: { 'X-Scenario-ID': id, ...(type && { 'Content-Type': type }) }, body });
  const messageOf = ({ body }: { body: { error: { message: string } } }) => body.error.message;

  it('entries sent as a form (curl -F) or by PUT (curl -T) get an error that says how curl sends a file', async () => {
    for (const path of ['/ingest', `/ingest/${id}`]) {
      const form = await send('POST', path, 'multipart/form-data; boundary=x', '--x--\r\n');
      expectError(form, 415, 'UNSUPPORTED_MEDIA_TYPE');
      expect(messageOf(form)).to.contain('--data-binary @FILE instead of -F');
    }
    // For an address that ends with a slash, curl adds the name of the file.
    for (const path of ['/ingest', `/ingest/${id}`, '/ingest/access.log']) {
      const put = await send('PUT', path, '');
      expectError(put, 405, 'METHOD_NOT_ALLOWED');
      expect(messageOf(put)).to.contain('--data-binary @FILE instead of -T');
      expect(put.headers.get('Allow')).to.contain('POST');
    }
    expect(messageOf(await send('PUT', '/health', ''))).not.to.contain('curl');
  });

  it('text that is called JSON gets an error that names the type of text, unless objects follow', async () => {
    const texts = ['Oct 11 22:14:15 web su: failed\n42\n', '[2026-05-01 12:00:00] started\n', '\n\ntrue story\n'];
    for (const type of ['application/json', 'application/x-ndjson', 'application/stream+json']) {
      for (const path of ['/ingest', `/ingest/${id}`]) {
        for (const text of texts) {
          const refused = await send('POST', path, type, text);
          expectError(refused, 400, 'VALIDATION_ERROR', ['body']);
          expect(messageOf(refused)).to.contain('send it with Content-Type: text/plain');
        }
      }
      const cutOff = await send('POST', `/ingest/${id}`, type, 'lue"}\n{"log":"a line"}\n');
      expect(cutOff.body).to.include({ accepted: 1, rejected: 1 });
    }
    const numbers = await send('POST', `/ingest/${id}`, 'application/x-ndjson', '7\n{"log":"a line"}\ntrue\nnull\n');
    expect(numbers.body).to.include({ accepted: 1, rejected: 3 });
  });

  it('entries sent in protobuf get an error that names the address that takes it, which exists', async () => {
    const addresses = { '/ingest': '/v1/logs', [`/ingest/${id}`]: `/ingest/${id}/v1/logs`, '/ingest/': '/v1/logs' };
    for (const [path, address] of Object.entries(addresses)) {
      const refused = await send('POST', path, 'application/x-protobuf', '\n\0');
      expectError(refused, 415, 'UNSUPPORTED_MEDIA_TYPE');
      expect(messageOf(refused)).to.contain(`sent to ${address}.`);
      expect((await send('POST', address, 'application/x-protobuf', '')).status).to.equal(200);
    }
    expect((await getMetrics(service, id)).totals.logs).to.equal(0);
  });
});
