import { expect } from 'chai';
import { requestOf } from '../support/otlp.ts';
import { createRunningScenario, getMetrics, ingest } from '../support/requests.ts';
import { startTestService } from '../support/test-service.ts';

const call = { input_tokens: 40, cache_read_input_tokens: 1000, cache_creation_input_tokens: 30, output_tokens: 7 };
const model = 'us.anthropic.claude-sonnet-4-6';
/** In USD per token, by the geographic profile: input, read and written for 5 minutes, output. */
const costOfCall = (40 * 3.3e-6 + 1000 * 0.33e-6 + 30 * 4.125e-6 + 7 * 16.5e-6).toFixed(12);

describe('usage of model calls at every address', () => {
  const service = startTestService();

  /** Sends entries in the form of programs. @returns the response, the metrics and their remarks. */
  async function sendLoose(...entries: object[]) {
    const { id } = await createRunningScenario(service);
    const { body } = await ingest(service, id, entries, { query: '?fields=loose&answer=summary' });
    await service.request('POST', '/flush', { headers: { 'X-Scenario-ID': id } });
    const { body: explained } = await service.request('GET', `/api/v1/scenarios/${id}/metrics/explain`);
    return { body, totals: (await getMetrics(service, id)).totals, remark: explained.remarks[0] };
  }

  it('is priced by the profile of the call, with its cached tokens', async () => {
    const { id } = await createRunningScenario(service);
    const { status, body } = await ingest(service, id, [{ message: 'llm call', usage: { ...call, model } }]);
    expect([status, body.usage_unread]).to.deep.equal([200, 0]);
    expect(body.results[0].metrics).to.include({ input_tokens: 40, output_tokens: 7 });
    expect(body.results[0].cost.inference).to.equal(costOfCall);
    expect(body.totals.cost.inference).to.equal(costOfCall);
    const { cost_breakdown: breakdown, totals } = await getMetrics(service, id);
    expect(breakdown[2]).to.deep.include({ service: 'inference', cost: costOfCall });
    expect(totals.incomplete).to.equal(false);
  });

  it('has a remark where a call is above the context window of its model', async () => {
    const { id } = await createRunningScenario(service);
    const usage = { input_tokens: 300_001, output_tokens: 1_000, model: 'amazon.nova-lite-v1:0' };
    await ingest(service, id, [{ message: 'too large', usage }]);
    const { cost_breakdown: breakdown } = await getMetrics(service, id);
    expect(breakdown[2]).to.deep.include({
      status: 'estimated',
      remarks: [
        'Some calls are above the context window of amazon.nova-lite-v1:0, 300000 tokens: the price is that of smaller calls.',
      ],
    });
  });

  it('is counted as not understood in a loose request, with the tokens of the message', async () => {
    const unread = { msg: 'llm call', usage: { input_tokens: -1, output_tokens: 7 } };
    const { body, totals, remark } = await sendLoose(unread, { msg: 'llm call', usage: call, model });
    expect(body).to.include({ accepted: 2, usage_unread: 1 });
    expect(totals).to.deep.include({ logs: 2, untimed: 2, usage_unread: 1, unpriced: [], incomplete: false });
    expect(totals.input_tokens).to.be.within(41, 50);
    expect(remark).to.match(/^1 entry had a usage that was not understood: /);
  });

  it('is counted under the name of a model without a price', async () => {
    const unknown = { msg: 'llm call', usage: { input_tokens: 5, output_tokens: 6 }, model: 'gpt-4o' };
    const { totals, remark } = await sendLoose(unknown, unknown);
    const unpriced = [{ model: 'gpt-4o', calls: 2, input_tokens: 10, output_tokens: 12 }];
    expect(totals).to.deep.include({ input_tokens: 0, unpriced, incomplete: true });
    expect(remark).to.equal('2 calls are of models without a price, which the cost leaves out: gpt-4o.');
  });

  it('is a warning of an export if it is not understood', async () => {
    const { id } = await createRunningScenario(service);
    const attributes = [{ key: 'gen_ai.usage.input_tokens', value: { intValue: -1 } }];
    const body = requestOf([{ body: { stringValue: 'llm call' }, attributes }]);
    const response = await service.request('POST', `/ingest/${id}/v1/logs`, { body });
    expect(response.body).to.deep.equal({
      partialSuccess: {
        rejectedLogRecords: '0',
        errorMessage: 'log records with a usage that is not understood: 1.',
      },
    });
  });
});
