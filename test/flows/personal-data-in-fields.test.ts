import { expect } from 'chai';
import { encode, encodings, mediaTypes, requestOf } from '../support/otlp.ts';
import { createRunningScenario, getMetrics, ingest } from '../support/requests.ts';
import { startTestService } from '../support/test-service.ts';

const number = '4111 1111 1111 1111';
const card = (...fields: string[]) => ({ type: 'payment_card', count: 1, fields });
const email = (...fields: string[]) => ({ type: 'email', count: 1, fields });

describe('personal data in fields', () => {
  const service = startTestService();

  async function send(body: string, type = 'application/json', query = 'answer=full') {
    const { id } = await createRunningScenario(service);
    const response = await service.request('POST', `/ingest/${id}?${query}`, {
      headers: { 'Content-Type': type },
      body: Buffer.from(body),
    });
    expect(response.status, response.text).to.equal(200);
    const results = (response.body.results ?? [response.body]) as { pii: object[]; message_preview: string }[];
    return { id, results };
  }

  const record = { msg: 'paid', card: number, user: { email: 'mia.k@example.org' } };
  const found = [card('card'), email('user.email')];
  const doors: [what: string, body: string, type: string, found: object[]][] = [
    ['JSON', JSON.stringify([record]), 'application/json', found],
    ['NDJSON', `${JSON.stringify(record)}\n`, 'application/x-ndjson', found],
    ['long numbers', '{"msg": "paid", "card_no": 6222021234567890003}', 'application/json', [card('card_no')]],
    [
      'long numbers in quotes',
      '{"msg": "paid", "card_no": "6222021234567890003"}',
      'application/json',
      [card('card_no')],
    ],
    ['a record inside of CRI', `2026-05-01T10:00:00Z stdout F ${JSON.stringify(record)}\n`, 'text/plain', found],
    [
      'a record inside of one of Kubernetes',
      JSON.stringify({ log: JSON.stringify(record), _p: 'F', kubernetes: { labels: { owner: 'ops@example.org' } } }),
      'application/json',
      [{ type: 'email', count: 2, fields: ['kubernetes.labels.owner', 'user.email'] }, card('card')],
    ],
    [
      'a record that is its own message',
      JSON.stringify({ card: number, n: [1, { to: 'a@example.org' }] }),
      'application/json',
      [card('card'), email('n.to')],
    ],
    [
      'a message that is an object',
      JSON.stringify({ message: { card: number }, id: 5 }),
      'application/json',
      [card('message.card')],
    ],
    ['the source', JSON.stringify({ msg: 'a', host: 'mia.k@example.org' }), 'application/json', [email('host')]],
  ];
  for (const [what, body, type, expected] of doors) {
    it(`is found in ${what}`, async () => {
      const { results } = await send(body, type);
      expect(results.map(({ pii }) => pii)).to.deep.equal([expected]);
    });
  }

  it('is found in the attributes and the source of strict entries', async () => {
    const { id } = await createRunningScenario(service);
    const { status, body } = await ingest(
      service,
      id,
      `[{"message": "a", "source": "web", "attributes": {"card": "${number}"}},
        {"message": "b", "attributes": {"card_no": 6222021234567890003}},
        {"message": "c", "source": "mia.k@example.org"},
        {"message": "d mia.k@example.org", "attributes": {"to": "mia.k@example.org"}}]`,
    );
    expect(status).to.equal(200);
    expect(body.results.map(({ pii }: { pii: object[] }) => pii)).to.deep.equal([
      [card('attributes.card')],
      [card('attributes.card_no')],
      [email('source')],
      [{ type: 'email', count: 2, fields: ['attributes.to'] }],
    ]);
    expect(body.totals.pii_logs).to.equal(4);
    expect((await getMetrics(service, id)).totals).to.deep.include({
      pii_logs: 4,
      pii: { email: 3, national_id: 0, payment_card: 2 },
    });
  });

  for (const encoding of encodings) {
    it(`is found in attributes of records, scopes and resources of OpenTelemetry, in ${encoding}`, async () => {
      const attribute = (key: string, stringValue: string) => ({ key, value: { stringValue } });
      const request = requestOf(
        [
          { body: { stringValue: 'a' }, attributes: [attribute('card', number)] },
          { body: { stringValue: 'b' } },
          { attributes: [attribute('to', 'mia.k@example.org')] },
        ],
        { attributes: [attribute('service.owner', 'ops@example.org')] },
        { attributes: [attribute('author', 'dev@example.org')] },
      );
      const { id } = await createRunningScenario(service);
      const response = await service.request('POST', `/ingest/${id}/v1/logs`, {
        headers: { 'Content-Type': mediaTypes[encoding] },
        body: encode(request, encoding),
      });
      expect([response.status, response.text.length < 3]).to.deep.equal([200, true]);
      await service.request('POST', '/flush', { headers: { 'X-Scenario-ID': id } });
      const { totals } = await getMetrics(service, id);
      expect(totals).to.deep.include({ logs: 3, pii_logs: 3, pii: { email: 7, national_id: 0, payment_card: 1 } });
    });
  }

  it('is redacted in the preview of a record that is its own message, and counts once', async () => {
    const { id, results } = await send(JSON.stringify({ user: 'mia.k@example.org', card: number }));
    expect(results[0]?.message_preview).to.equal('{"user":"[EMAIL]","card":"[PAYMENT_CARD]"}');
    expect((await getMetrics(service, id)).totals).to.deep.include({
      pii_logs: 1,
      pii: { email: 1, national_id: 0, payment_card: 1 },
    });
  });

  it('is not stored, neither are the fields', async () => {
    const { id } = await send(JSON.stringify({ ...record, note: 'zqxjv 123456789 mia.k@example.org' }));
    const rows = await service.app.models.logBatch.collection.find({ scenarioId: id }).toArray();
    const stored = JSON.stringify(rows.map((row) => ({ ...row, packed: row['packed'].text.toString() })));
    expect(stored).to.include('user.email');
    for (const text of ['mia.k', '4111', 'zqxjv']) expect(stored).not.to.include(text);
  });
});
