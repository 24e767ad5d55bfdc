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
