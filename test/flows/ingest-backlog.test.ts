import { randomBytes, randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { createAccount } from '../support/accounts.ts';
import { encode, exportLogs, requestOf, textRecord } from '../support/otlp.ts';
import {
  createRunningScenario,
  createScenario,
  expectError,
  getMetrics,
  ingest,
  processAll,
} from '../support/requests.ts';
import { startTestService, type TestResponse, type TestService } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

const withoutWaiting = { headers: { Prefer: 'respond-async' } };

/** Headers of a request that does not wait, of a caller of its own. */
const createCaller = async (service: TestService) => ({
  headers: { ...withoutWaiting.headers, ...(await createAccount(service)).headers },
});

describe('the order of the backlog', () => {
  const service = startTestService({
    workers: false,
    environment: { INGEST_CONCURRENCY: '1' },
    config: { flushWaitMs: 0 },
  });

  it('has owners of few batches first, and lets those of many take turns', async () => {
    const [{ id }, { id: otherId }] = [await createRunningScenario(service), await createRunningScenario(service)];
    const { queue } = service.app.queues['ingest-entries'];
    const [one, other, honest] = [
      await createCaller(service),
      await createCaller(service),
      await createCaller(service),
    ];
    for (let number = 0; number < 12; number += 1) {
      expect((await ingest(service, id, { message: 'a' }, one)).status).to.equal(202);
    }
    const lines = await service.request('POST', `/ingest/${otherId}`, {
      headers: { ...other.headers, 'Content-Type': 'text/plain' },
      body: 'b\n'.repeat(12_000),
    });
    expect(lines.status, lines.text).to.equal(202);
    const { status, body: first } = await ingest(service, id, { message: 'c' }, honest);
    expect(status).to.equal(202);

    const prioritized = await queue.getPrioritized();
    const turns = prioritized.map(({ data }) => data.scenarioId);
    expect(turns).to.deep.equal([id, otherId, id, otherId, id, otherId, id, otherId]);
    const flush = await service.request('POST', '/flush', { headers: { 'X-Scenario-ID': otherId } });
    expectError(flush, 503, 'SERVICE_UNAVAILABLE');
    expect(flush.body.error.message).to.contain('not processed yet: 12;');

    await processAll(service);
    const startOf = async (jobId = '') => (await queue.getJob(jobId))?.processedOn ?? 0;
    for (const job of prioritized) expect(await startOf(job.id)).to.be.at.least(await startOf(first.job_id));
    expect((await getMetrics(service, id)).totals.logs).to.equal(13);
    expect((await getMetrics(service, otherId)).totals.logs).to.equal(12_000);
  });
});

describe('the limits of the backlog', () => {
  const service = startTestService({ workers: false, environment: { INGEST_MAX_BACKLOG_BYTES: String(10 * 4096) } });

  function expectRefusal(response: TestResponse): void {
    expectError(response, 503, 'SERVICE_UNAVAILABLE');
    expect(Number(response.headers.get('Retry-After'))).to.be.greaterThan(0);
  }

  it('limits hold for requests that arrive at the same time, half of them for a caller, and capacity is free again after', async () => {
    const { id } = await createRunningScenario(service);
    for (const round of [1, 2]) {
      const callers = [await createCaller(service), await createCaller(service)];
      // With keys, so that each request has a row of its own.
      const send = ({ headers }: { headers: Record<string, string> }) =>
        ingest(service, id, { message: 'a' }, { headers: { ...headers, 'Idempotency-Key': randomUUID() } });
      const responses = await Promise.all(
        callers.map((caller) => Promise.all(Array.from({ length: 20 }, () => send(caller)))),
      );
      for (const [at, own] of responses.entries()) {
        const refused = own.filter(({ status }) => status !== 202);
        for (const response of refused) expectRefusal(response);
        let accepted = own.length - refused.length;
        expect(accepted).to.be.within(1, 5);
        // A sum can count batches twice that are inserted while it is read, until the next sum.
        await waitUntil('the rest of the share', async () => {
          if (accepted < 5 && (await send(callers[at] ?? withoutWaiting)).status === 202) accepted += 1;
          return accepted === 5;
        });
        expectRefusal(await send(callers[at] ?? withoutWaiting));
      }
      expectRefusal(await send(withoutWaiting));
      await processAll(service);
      // With the one that has found capacity in the round before.
      expect((await getMetrics(service, id)).totals.logs).to.equal(11 * round - 1);
      await waitUntil('capacity', async () => (await send(withoutWaiting)).status === 202);
      await processAll(service);
    }
  });

  it('limits count what is stored, and refuse nothing to a repeat', async () => {
    const { id } = await createRunningScenario(service);
    const caller = await createCaller(service);
    const headers = { ...caller.headers, 'Idempotency-Key': 'once' };
    const incompressible = () => ({ message: 'a', attributes: { b: randomBytes(12_000).toString('base64') } });
    const large = incompressible();
    await waitUntil('capacity', async () => (await ingest(service, id, [large], { headers })).status === 202);
    expectRefusal(await ingest(service, id, [incompressible()], caller));
    expect((await ingest(service, id, { message: 'a'.repeat(200_000) }, caller)).status, 'compressed').to.equal(202);
    expect((await ingest(service, id, [large], { headers })).status).to.equal(202);
    await processAll(service);
  });

  it('limits are applied before the body is read, as are the scenario and its state', async () => {
    const { id } = await createRunningScenario(service);
    const draft = await createScenario(service);
    // Its body does not end.
    const endless = (scenarioId: string, path = '/ingest') =>
      fetch(service.url + path, {
        method: 'POST',
        headers: { 'X-Scenario-ID': scenarioId, 'Content-Type': 'application/json' },
        body: new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from('[')) }),
        duplex: 'half',
      });
    // Until the next sum, one can count batches twice that are inserted while it is read.
    const fill = () =>
      waitUntil('the backlog to be full', async () => {
        const { status } = await ingest(service, id, { message: 'a' }, await createCaller(service));
        return status === 503;
      });
    await fill();
    expect((await endless(draft.id)).status).to.equal(409);
    for (const path of ['/ingest', '/v1/logs']) {
      const refused = await waitUntil('a refusal', async () => {
        await fill();
        const response = await endless(id, path);
        return response.status === 503 && response;
      });
      expect(Number(refused.headers.get('Retry-After'))).to.be.greaterThan(0);
      // The code of OpenTelemetry for what is unavailable.
      if (path === '/v1/logs') expect(await refused.json()).to.include({ code: 14 });
    }
    await processAll(service);
  });
});

describe('what requests with log entries cost', () => {
  // Two requests of 7,901 entries cost more.
  const service = startTestService({ workers: false, environment: { RATE_LIMIT_INGEST_BYTES: '3000000' } });
  const send = (id: string, text: string, headers: Record<string, string> = {}) =>
    service.request('POST', `/ingest/${id}`, {
      body: gzipSync(text, { level: 9 }),
      headers: { 'Content-Type': 'text/plain', 'Content-Encoding': 'gzip', ...headers },
    });

  it('the unpacked bytes and the number of entries limit a caller for the minute, and no other caller', async () => {
    const { id } = await createRunningScenario(service);
    const { headers: attacker } = await createAccount(service);
    let accepted = 0;
    await waitUntil('a refusal', async () => {
      const response = await send(id, '\n'.repeat(7_901), attacker);
      if (response.status === 200) accepted += 1;
      else {
        expectError(response, 429, 'RATE_LIMITED');
        expect(Number(response.headers.get('Retry-After'))).to.be.within(1, 60);
      }
      return response.status === 429;
    });
    expect(accepted).to.be.within(1, 3);
    const otlp = encode(requestOf([textRecord('a')]), 'json');
    expect((await exportLogs(service, id, otlp, 'json', { headers: attacker })).status).to.equal(429);
    const honest = await send(id, 'line\n'.repeat(10));
    expect([honest.status, honest.body.accepted]).to.deep.equal([200, 10]);
  });
});
