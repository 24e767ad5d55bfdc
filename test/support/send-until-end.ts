import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { minute } from '../../shared/durations.ts';
import { isLongForm } from './long-form.ts';
import { createRunningScenario, getMetrics } from './requests.ts';
import type { RequestOptions, TestService } from './test-service.ts';
import { waitUntil } from './wait-until.ts';

const perRequest = 5;
/** A sender waits so long between two requests, because it would use a core during a failover. */
const pauseMs = isLongForm ? 0 : 20;
/** A sweep every minute adds the jobs again that were lost more than a minute before. */
const untilSwept = 4 * minute;

/**
 * Sends entries while the servers are disturbed: to one scenario each request until it is answered
 * with 200, to the others each once. Then checks that what was acknowledged counts, and nothing
 * twice.
 */
export async function sendUntilEnd(
  service: TestService,
  { disturbances, disturb }: { disturbances: number; disturb: () => Promise<void> },
): Promise<void> {
  const end = new AbortController();
  const senders = await Promise.all([
    sender(service, async (path, request) => {
      const repeated = { ...request, headers: { 'Idempotency-Key': randomUUID() } };
      const isStored = async () => (await send(service, `${path}?answer=full`, repeated)) === 200;
      await waitUntil('the entries to be stored', isStored);
      return true;
    }),
    sender(service, async (path, request) => (await send(service, `${path}?answer=full`, request)) < 300),
    sender(service, async (path, request) => (await send(service, `${path}?answer=summary`, request)) === 200),
  ]);
  const sending = Promise.all(senders.map(({ sendUntil }) => sendUntil(end.signal)));
  sending.catch(() => {});
  const waitForProgress = async () => {
    const before = senders.map(({ counts }) => counts.acknowledged);
    const haveContinued = () => senders.every(({ counts }, at) => counts.acknowledged > (before[at] ?? 0));
    await waitUntil('all senders to continue', haveContinued);
  };
  for (let round = 0; round < disturbances; round += 1) {
    await waitForProgress();
    await disturb();
  }
  await waitForProgress();
  end.abort();
  await sending;

  const hasEnded = async () => (await service.request('POST', '/flush')).status === 200;
  await waitUntil('all jobs to end', hasEnded, untilSwept);
  for (const { id, counts } of senders) {
    expect((await getMetrics(service, id)).totals.logs).to.be.within(counts.acknowledged, counts.sent);
  }
  const [{ counts: repeated }] = senders;
  expect(repeated.acknowledged).to.equal(repeated.sent);
}

type SendBody = (path: string, request: { body: { message: string }[] }) => Promise<boolean>;

/** @param sendBody returns whether the entries are acknowledged. */
async function sender(service: TestService, sendBody: SendBody) {
  const { id } = await createRunningScenario(service);
  const counts = { sent: 0, acknowledged: 0 };
  const sendUntil = async (end: AbortSignal) => {
    while (!end.aborted) {
      counts.sent += perRequest;
      const body = Array.from({ length: perRequest }, () => ({ message: randomUUID() }));
      if (await sendBody(`/ingest/${id}`, { body })) counts.acknowledged += perRequest;
      await delay(pauseMs);
    }
  };
  return { id, counts, sendUntil };
}

/** @returns the status: 202 if a worker was late. */
async function send(service: TestService, path: string, request: RequestOptions): Promise<number> {
  const { status } = await service.request('POST', path, request);
  expect(status).to.be.oneOf([200, 202, 503]);
  return status;
}
