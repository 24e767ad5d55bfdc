import { expect } from 'chai';
import { envelopes } from '../support/envelopes.ts';
import { createRunningScenario, expectError, getMetrics } from '../support/requests.ts';
import { startTestService } from '../support/test-service.ts';

describe('the envelopes of other tools at the ingest addresses', () => {
  const service = startTestService();

  it('refuses them, and counts each log record of OpenTelemetry', async () => {
    const { id } = await createRunningScenario(service);
    const headers = { 'X-Scenario-ID': id };
    for (const path of [`/ingest/${id}`, '/ingest?fields=loose']) {
      expectError(await service.request('POST', path, { headers, body: envelopes.loki }), 400, 'VALIDATION_ERROR', [
        'body',
      ]);
    }
    const { status, body } = await service.request('POST', `/ingest/${id}?answer=full`, { body: envelopes.otlp });
    expect([status, body.accepted, body.timed]).to.deep.equal([200, 2, 1]);
    const { totals } = await getMetrics(service, id);
    expect([totals.logs, totals.pii_logs, totals.pii.email]).to.deep.equal([2, 1, 1]);
  });
});
