import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { createAccount, createApiKey } from '../support/accounts.ts';
import { useBuiltCommand } from '../support/built-command.ts';
import { type Fault, startHttpProxy } from '../support/proxy.ts';
import { createRunningScenario, flush, getMetrics } from '../support/requests.ts';
import { startTestService } from '../support/test-service.ts';

describe('meterbook send', () => {
  const service = startTestService();
  const command = useBuiltCommand();
  const lines = Array.from(
    { length: 100_000 },
    (_, at) => `2026-05-01T10:00:00Z INFO line ${at} of a log that is sent`,
  );

  it('sends a log once, however often the command runs, and goes on after an interruption', async () => {
    const { id } = await createRunningScenario(service);
    const path = join(command.folder, 'sent.log');
    await writeFile(path, lines.join('\n'));
    // The second request is refused once, and the response to the third one is lost.
    const faults: (Fault | undefined)[] = [
      undefined,
      { status: 503, headers: { 'Retry-After': '1' }, body: '{}' },
      'reset after work',
    ];
    const proxy = await startHttpProxy(service.url);
    proxy.faultFor = () => faults.shift();
    const first = await command.run(['send', path, '--to', proxy.url, '--scenario', id]);
    await proxy.stop();
    expect(first.stderr).to.equal('');
    expect(first.stdout).to.match(/^100,000 entries are accepted, 1 of \d+ requests had arrived before\.\n$/);
    const again = await command.run(['send', path, '--to', service.url, '--scenario', id]);
    expect(again.stdout).to.match(/^100,000 entries are accepted, (\d+) of \1 requests had arrived before\.\n$/);
    await flush(service, id);
    expect((await getMetrics(service, id)).totals.logs).to.equal(lines.length);
  });

  it('is refused for a log that has grown, whose last request would be counted twice', async () => {
    const { id } = await createRunningScenario(service);
    const path = join(command.folder, 'grown.log');
    await writeFile(path, lines.slice(0, 100).join('\n'));
    const { key } = await createApiKey(service, await createAccount(service));
    const send = () =>
      command.run(['send', path, '--to', service.url, '--scenario', id], { env: { METERBOOK_API_KEY: key } });
    expect((await send()).stdout).to.equal('100 entries are accepted.\n');
    await appendFile(path, '\na line more');
    const { code, stderr } = await send();
    expect([code, stderr]).to.deep.equal([
      2,
      `meterbook: ${service.url} has another text of this log: send the lines that are new as a log of their own.\n`,
    ]);
  });

  it('says why a service refuses a log, or is not reachable', async () => {
    const path = join(command.folder, 'refused.log');
    await writeFile(path, 'one line');
    const unknown = '6f6fb4b1-5c0e-4d3c-9a53-3f2b8a6f1c11';
    const refused = await command.run(['send', path, '--to', service.url, '--scenario', unknown]);
    expect([refused.code, refused.stderr]).to.deep.equal([
      2,
      `meterbook: ${service.url} responds with 404: Scenario ${unknown} does not exist.\n`,
    ]);
    const address = await command.run(['send', path, '--to', 'ftp://nowhere', '--scenario', unknown]);
    expect(address.stderr).to.include('is not an address');
  });
});
