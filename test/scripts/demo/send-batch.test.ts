import { expect } from 'chai';
import { ApiClient } from '../../../scripts/demo/api-client.ts';
import { DemoError } from '../../../scripts/demo/demo-error.ts';
import { sendBatch } from '../../../scripts/demo/send-batch.ts';
import { createReplyingServer } from './replying-server.ts';

describe('sending a batch', () => {
  const server = createReplyingServer();
  let waits = 0;

  beforeEach(() => {
    waits = 0;
  });

  async function send(interrupt = new AbortController(), onBusy = () => {}): Promise<number> {
    const { signal } = interrupt;
    const countWait = () => {
      waits += 1;
      onBusy();
    };
    return sendBatch(new ApiClient(server.url, signal), 'scenario-1', '[1]', { signal, onBusy: countWait });
  }

  it('finishes after a 200', async () => {
    server.replies = [{ status: 200, body: { accepted: 3 } }];
    expect(await send()).to.equal(3);
    expect(server.received).to.deep.equal(['POST /ingest?join=trace [1]']);
  });

  it('sends the same body again after a 503 or a 429', async () => {
    const headers = { 'retry-after': '0' };
    const busy = { status: 503, headers, body: { error: { message: 'busy' } } };
    server.replies = [busy, { status: 429, headers }, busy, { status: 200 }];
    await send();
    expect(server.received).to.deep.equal(Array(4).fill('POST /ingest?join=trace [1]'));
    expect(waits).to.equal(3);
  });

  it('polls the job after a 202', async () => {
    const url = '/api/v1/ingest-jobs/job-1';
    const headers = { 'retry-after': '0' };
    server.replies = [
      { status: 202, body: { job_id: 'job-1', status: 'waiting', status_url: url } },
      { status: 200, body: { status: 'active' } },
      { status: 429, headers },
      { status: 503, headers },
      { status: 200, body: { status: 'completed' } },
    ];
    await send();
    expect(server.received).to.deep.equal(['POST /ingest?join=trace [1]', ...Array(4).fill(`GET ${url}`)]);
    expect(waits).to.equal(2);
  });

  it('reports why a job has failed', async () => {
    server.replies = [
      { status: 202, body: { status_url: '/jobs/1' } },
      { status: 200, body: { status: 'failed', error: { message: 'the spool has expired' } } },
    ];
    const error = await send().catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(DemoError);
    expect((error as Error).message).to.equal('A batch failed: the spool has expired');
  });

  it('stops waiting when its signal is aborted', async () => {
    server.replies = [{ status: 503, headers: { 'retry-after': '3600' } }];
    const interrupt = new AbortController();
    const sending = send(interrupt, () => setImmediate(() => interrupt.abort()));
    expect(await sending.catch((error: Error) => error.name)).to.equal('AbortError');
  });
});
