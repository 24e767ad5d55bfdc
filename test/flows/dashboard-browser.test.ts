import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { startBrowser } from '../support/browser.ts';
import { dashboardPassword, startTestService } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

describe('the dashboard, in a browser', () => {
  const service = startTestService();
  const browser = startBrowser();

  it('shows queues, a job and its log, without errors and without requests to other hosts', async () => {
    const { queues } = service.app;
    const requestId = randomUUID();
    await queues['delete-scenario'].add({ scenarioId: randomUUID(), requestId }, { jobId: 'delete-1' });
    await waitUntil('the job', async () => (await queues['delete-scenario'].queue.getJob('delete-1'))?.finishedOn);

    const url = service.url.replace('://', `://admin:${encodeURIComponent(dashboardPassword)}@`);
    const { page, problems, foreignRequests } = await browser.openPage(`${url}/admin/queues/`);
    const textOf = () => page.evaluate('document.body.innerText') as Promise<string>;
    await waitUntil('the queues', async () => {
      const text = await textOf();
      return Object.keys(queues).every((name) => name === 'close' || text.includes(name));
    });
    // The name of the job, not of the queue.
    await page.goto(`${service.url}/admin/queues/queue/delete-scenario?status=completed`);
    await waitUntil('the name of the job', async () => (await textOf()).includes('delete scenario'));
    await page.goto(`${service.url}/admin/queues/queue/delete-scenario/delete-1?status=completed`);
    const logs = await page.waitForSelector('button ::-p-text(Logs)');
    await logs?.click();
    const line = `attempt 1, request ${requestId}: completed after `;
    await waitUntil('the line of the attempt', async () => (await textOf()).includes(line));
    expect(problems).to.deep.equal([]);
    expect(foreignRequests).to.deep.equal([]);
  });
});
