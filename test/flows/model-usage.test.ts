import { expect } from 'chai';
import { type Encoding, encode, mediaTypes } from '../support/otlp.ts';
import { createRunningScenario, getMetrics, ingest } from '../support/requests.ts';
import { startTestService } from '../support/test-service.ts';

const call = { input_tokens: 40, cache_read_input_tokens: 1000, cache_creation_input_tokens: 30, output_tokens: 7 };
const model = 'us.anthropic.claude-sonnet-4-6';
const record = { msg: 'llm call', usage: call, model };
const unread = { msg: 'llm call', usage: { input_tokens: -1, output_tokens: 7 } };
const unknown = { msg: 'llm call', usage: { input_tokens: 5, output_tokens: 6 }, model: 'gpt-4o' };

const attribute = (key: string, value: object) => ({ key, value });
const genAi = {
  resourceLogs: [
    {
      scopeLogs: [
        {
          logRecords: [
            {
              body: { stringValue: 'llm call' },
              attributes: [
                attribute('gen_ai.request.model', { stringValue: model }),
                attribute('gen_ai.usage.input_tokens', { intValue: '1070' }),
                attribute('gen_ai.usage.cache_read.input_tokens', { intValue: 1000 }),
                attribute('gen_ai.usage.cache_creation.input_tokens', { intValue: 30 }),
                attribute('gen_ai.usage.output_tokens', { intValue: 7 }),
              ],
            },
          ],
        },
      ],
    },
  ],
};

describe('usage of model calls at every address', () => {
  const service = startTestService();

  /** The stored usage of the only hour of a scenario. */
  async function storedHour(id: string) {
    await service.request('POST', '/flush', { headers: { 'X-Scenario-ID': id } });
    await getMetrics(service, id);
    const rows = await service.app.models.logBatch.collection.find({ scenarioId: id }).toArray();
    const hours = await service.app.models.usageHour.collection.find({ scenarioId: id }).toArray();
    const usages = [...hours, ...rows.flatMap((row) => (row['usage'] as object[] | undefined) ?? [])];
    return usages[0] as Record<string, Record<string, unknown>>;
  }

  const field = 'anthropic%2eclaude-sonnet-4-6%20geo';
  const counted = {
    inputTokens: 40,
    outputTokens: 7,
    cacheReadTokens: 1000,
    cacheWriteTokens: 30,
  };

  for (const encoding of ['protobuf', 'json'] as const satisfies readonly Encoding[]) {
    it(`is read in the attributes of OpenTelemetry, in ${encoding}`, async () => {
      const { id } = await createRunningScenario(service);
      const response = await service.request('POST', `/ingest/${id}/v1/logs`, {
        headers: { 'Content-Type': mediaTypes[encoding] },
        body: encode(genAi, encoding),
      });
      expect(response.status).to.equal(200);
      expect((await storedHour(id))['inference']).to.deep.equal({ [field]: counted });
    });
  }

  it('is read in a strict entry, in any form', async () => {
    const { id } = await createRunningScenario(service);
    const strict = { message: 'llm call', usage: { ...call, model } };
    const { status, body } = await ingest(service, id, [strict]);
    expect([status, body.usage_unread]).to.deep.equal([200, 0]);
    expect(body.results[0].metrics).to.include({ input_tokens: 40, output_tokens: 7 });
    expect((await storedHour(id))['inference']).to.deep.equal({ [field]: counted });
  });

  it('is priced by the profile of the call, with its cached tokens', async () => {
    const { id } = await createRunningScenario(service, { assumptions: { function: { memory_mb: 128 } } });
    const { body } = await ingest(service, id, [{ message: 'llm call', usage: { ...call, model } }]);
    // In USD per token, by the geographic profile: input, read and written for 5 minutes, output.
    const inference = 40 * 3.3e-6 + 1000 * 0.33e-6 + 30 * 4.125e-6 + 7 * 16.5e-6;
    expect(body.results[0].cost.inference).to.equal(inference.toFixed(12));
    expect(body.totals.cost.inference).to.equal(inference.toFixed(12));
    const { cost_breakdown: breakdown, totals } = await getMetrics(service, id);
    expect(breakdown[2]).to.deep.include({ service: 'inference', cost: inference.toFixed(12) });
    expect(totals.incomplete).to.equal(false);
  });

  it('has the long price above the limit of the model, or a remark where there is none', async () => {
    const assumptions = { inference: { model: 'openai.gpt-5.6-sol' } };
    const { id } = await createRunningScenario(service, { region: 'us-east-1', assumptions });
    const usage = { input_tokens: 300_000, output_tokens: 1_000 };
    const { body } = await ingest(service, id, [{ message: 'a large call', usage }]);
    const long = (300 * 0.0088 + 0.033).toFixed(12);
    expect(body.results[0].cost.inference).to.equal(long);
    const { cost_breakdown: breakdown } = await getMetrics(service, id);
    expect(breakdown[2]).to.deep.include({ cost: long, status: 'ok' });
    expect(breakdown[2]).not.to.have.property('remarks');
    const explain = async () =>
      (await service.request('GET', `/api/v1/scenarios/${id}/metrics/explain`)).body.months[0].lines as {
        item: string;
        rule: string;
        status: string;
      }[];
    expect((await explain()).find(({ item }) => item === 'input_tokens')?.rule).to.contain('its price of large calls');

    await ingest(service, id, [{ message: 'too large', usage: { ...usage, model: 'amazon.nova-lite-v1:0' } }]);
    const { cost_breakdown: marked, totals } = await getMetrics(service, id);
    const remark =
      'Some calls are above the context window of amazon.nova-lite-v1:0, 300000 tokens: the price is that of smaller calls.';
    expect(marked[2]).to.deep.include({ status: 'estimated', remarks: [remark] });
    expect(totals.status).to.equal('estimated');
    const lines = (await explain()).filter(({ rule }) => rule.endsWith(remark));
    expect(lines.map(({ item, status }) => [item, status])).to.deep.equal([
      ['input_tokens', 'estimated'],
      ['output_tokens', 'estimated'],
    ]);
  });

  it('has a remark in a design whose model has another limit', async () => {
    const inference = { model: 'amazon.nova-premier-v1:0' };
    const { id } = await createRunningScenario(service, { region: 'us-east-1', assumptions: { inference } });
    await ingest(service, id, [{ message: 'a call', usage: { input_tokens: 4, output_tokens: 1 } }]);
    const designs = ['openai.gpt-5.6-sol', 'amazon.nova-micro-v1:0'].map((model) => ({
      name: model,
      assumptions: { inference: { model } },
    }));
    const { body } = await service.request('POST', `/api/v1/scenarios/${id}/designs`, { body: { designs } });
    const [sol, micro] = body.items.map((item: { cost_breakdown: object[] }) => item.cost_breakdown[2]);
    expect(sol.status).to.equal('estimated');
    expect(sol.remarks[0]).to.contain(
      'above 272000 tokens have another price, but they were counted by a limit of 1000000',
    );
    expect(micro).to.include({ status: 'ok' }).and.not.to.have.property('remarks');
  });

  it('has its cached tokens in a pipeline too', async () => {
    const { id } = await createRunningScenario(service, { assumptions: { pipeline: {} } });
    await ingest(service, id, [{ message: 'llm call', usage: { ...call, model } }]);
    const inference = 40 * 3.3e-6 + 1000 * 0.33e-6 + 30 * 4.125e-6 + 7 * 16.5e-6;
    const { cost_breakdown: breakdown, totals } = await getMetrics(service, id);
    expect(breakdown[2]).to.deep.include({ service: 'inference', cost: inference.toFixed(12), status: 'estimated' });
    expect(totals).to.include({ cache_read_tokens: 1000, cache_write_tokens: 30, incomplete: false });
  });

  it('is counted as not understood in a loose request, with the tokens of the message', async () => {
    const { id } = await createRunningScenario(service);
    const { body } = await ingest(service, id, [unread, record], { query: '?fields=loose&answer=summary' });
    expect(body).to.include({ accepted: 2, usage_unread: 1 });
    const hour = await storedHour(id);
    expect(hour['usageUnread']).to.equal(1);
    expect(Object.keys(hour['inference'] ?? {})).to.include('anthropic%2eclaude-haiku-4-5-20251001-v1:0');
    const { totals } = await getMetrics(service, id);
    expect(totals).to.deep.include({ logs: 2, untimed: 2, usage_unread: 1, unpriced: [], incomplete: false });
    const { body: explained } = await service.request('GET', `/api/v1/scenarios/${id}/metrics/explain`);
    expect(explained.remarks[0]).to.match(/^1 entry had a usage that was not understood: /);
  });

  it('is counted under the name of a model without a price', async () => {
    const { id } = await createRunningScenario(service);
    await ingest(service, id, [unknown, unknown], { query: '?fields=loose&answer=summary' });
    const hour = await storedHour(id);
    expect(hour['unpriced']).to.deep.equal({ 'gpt-4o': { calls: 2, inputTokens: 10, outputTokens: 12 } });
    expect(hour['inference']).to.deep.equal({});
    const { totals } = await getMetrics(service, id);
    const unpriced = [{ model: 'gpt-4o', calls: 2, input_tokens: 10, output_tokens: 12 }];
    expect(totals).to.deep.include({ input_tokens: 0, unpriced, incomplete: true });
    const { body: explained } = await service.request('GET', `/api/v1/scenarios/${id}/metrics/explain`);
    expect(explained.totals.incomplete).to.equal(true);
    expect(explained.remarks[0]).to.equal('2 calls are of models without a price, which the cost leaves out: gpt-4o.');
  });

  it('is a warning of an export if it is not understood', async () => {
    const { id } = await createRunningScenario(service);
    const [resource] = structuredClone(genAi).resourceLogs;
    resource?.scopeLogs[0]?.logRecords[0]?.attributes.push(attribute('gen_ai.usage.prompt_tokens', { intValue: 3 }));
    const response = await service.request('POST', `/ingest/${id}/v1/logs`, {
      headers: { 'Content-Type': 'application/json' },
      body: Buffer.from(JSON.stringify({ resourceLogs: [resource] })),
    });
    expect(response.body).to.deep.equal({
      partialSuccess: {
        rejectedLogRecords: '0',
        errorMessage: 'log records with a usage that is not understood: 1.',
      },
    });
  });
});
