import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { changeBytes, generateIngestBody, otlpRequest } from '../../scripts/fuzz/ingest-bodies.ts';
import { pick } from '../../scripts/fuzz/odd-values.ts';
import { seededRandom } from '../../shared/seeded-random.ts';
import { isLongForm } from '../support/long-form.ts';
import { encode, exportLogs } from '../support/otlp.ts';
import { createRunningScenario, flushAll, getMetrics } from '../support/requests.ts';
import { startTestService, type TestResponse } from '../support/test-service.ts';

/** `FUZZ_BODIES=20000 FUZZ_SEED=7 npm run fuzz` sends as many. */
const { FUZZ_BODIES, FUZZ_SEED = '1' } = process.env;
const bodies = Number(FUZZ_BODIES ?? (isLongForm ? 10_000 : 100));
/** CPU time of one request and what follows it, for at most some kilobytes. */
const maxCpuMs = 2_000;

const queries = ['', '?answer=full&partial=true', '?answer=summary', '?fields=loose&answer=full', '?join=trace'];
const hashOf = (message: string) => createHash('sha256').update(message).digest('hex');

/** So many entries are accepted, as a response says. */
function acceptedIn({ status, body }: TestResponse): number {
  if (status >= 400) return 0;
  return 'accepted' in body ? body.accepted : 1;
}

describe('bodies of log entries from a grammar', () => {
  const service = startTestService({
    environment: async () => ({ RATE_LIMIT_INGEST: '1000000', RATE_LIMIT_INGEST_BYTES: '1000000000' }),
  });

  it('bodies are counted as their responses say, and meet no 5xx, whatever is wrong with them', async () => {
    const random = seededRandom(Number(FUZZ_SEED));
    const { id } = await createRunningScenario(service);
    const statuses: Record<number, number> = {};
    let accepted = 0;
    for (let sent = 0; sent < bodies; sent += 1) {
      const body = generateIngestBody(random);
      const address = pick(random, ['/ingest', `/ingest/${id}`]);
      const query = pick(random, queries);
      const headers = {
        'X-Scenario-ID': id,
        'Content-Type': body.type,
        ...(body.isPacked && { 'Content-Encoding': 'gzip' }),
      };
      const before = process.cpuUsage();
      const response = await service.request('POST', `${address}${query}`, { headers, body: body.bytes });
      const { user, system } = process.cpuUsage(before);
      const sentBytes = `${body.form}${query}: ${body.bytes.toString('base64')}`;
      const described = `seed ${FUZZ_SEED}, ${sentBytes}\n${response.text.slice(0, 500)}`;
      expect(response.status, described).to.be.lessThan(500);
      expect((user + system) / 1_000, `CPU ms: ${described}`).to.be.lessThan(maxCpuMs);
      statuses[response.status] = (statuses[response.status] ?? 0) + 1;
      accepted += acceptedIn(response);
      // Loose and joined entries have other messages than they are sent with.
      if (body.messages && query === '?answer=full&partial=true' && ['list', 'single', 'lines'].includes(body.form)) {
        // NUL characters are refused, or replaced by the address with the id of the scenario.
        const known = new Set(body.messages.map((message) => hashOf(message.replaceAll('\0', '\ufffd'))));
        const results = response.body?.results ?? [];
        const strange = results.filter(
          (result: { message_hash?: string }) => result.message_hash && !known.has(result.message_hash),
        );
        expect(strange, described).to.deep.equal([]);
      }
    }
    await flushAll(service);
    const counted = (await getMetrics(service, id)).totals.logs;
    expect(counted, JSON.stringify(statuses)).to.equal(accepted);
    expect(accepted, JSON.stringify(statuses)).to.be.greaterThan(bodies / 2);
  }).timeout(bodies * 2_000);

  it('bodies of OTLP are counted record by record in both encodings, and meet no 5xx if they are damaged', async () => {
    const random = seededRandom(Number(FUZZ_SEED));
    const [whole, damaged] = [await createRunningScenario(service), await createRunningScenario(service)];
    let records = 0;
    for (let sent = 0; sent < bodies / 3; sent += 1) {
      const messages = Array.from({ length: Math.ceil(random() * 20) }, (_, index) => `record ${index} of ${sent}`);
      const encoding = pick(random, ['json', 'protobuf'] as const);
      const bytes = encode(otlpRequest(messages, random), encoding);
      const response = await exportLogs(service, whole.id, bytes, encoding);
      expect(response.status, response.text).to.equal(200);
      records += messages.length;
      const changed = changeBytes(bytes, random);
      const { status, text } = await exportLogs(service, damaged.id, changed, encoding);
      expect(status, `seed ${FUZZ_SEED}, ${encoding} ${changed.toString('base64')}\n${text}`).to.be.lessThan(500);
    }
    await flushAll(service);
    expect((await getMetrics(service, whole.id)).totals.logs).to.equal(records);
  }).timeout(bodies * 2_000);
});
