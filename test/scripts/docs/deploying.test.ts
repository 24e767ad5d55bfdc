import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { second } from '../../../shared/durations.ts';
import { createRouteSettings } from '../../support/route-settings.ts';

const text = readFileSync(new URL('../../../docs/deploying.md', import.meta.url), 'utf8');
const numberIn = (pattern: RegExp) => Number(pattern.exec(text)?.[1]);
const { config } = createRouteSettings();

describe('docs/deploying.md', () => {
  it('has the commands of the Procfile, and enough time for them to stop', () => {
    const procfile = readFileSync(new URL('../../../Procfile', import.meta.url), 'utf8');
    const commands = [...procfile.matchAll(/^\w+: exec (.+)$/gm)].map(([, command]) => `/usr/bin/${command}`);
    expect([...text.matchAll(/^ExecStart=(.+)$/gm)].map(([, command]) => command)).to.deep.equal(commands);
    const times = [...text.matchAll(/^TimeoutStopSec=(\d+)$/gm)].map(([, seconds]) => Number(seconds));
    expect([...times, numberIn(/foreman start .* -t (\d+)/)]).to.have.length(2);
    for (const seconds of times) expect(seconds * second).to.be.above(config.shutdownGraceMs + second);
    expect(numberIn(/foreman start .* -t (\d+)/) * second).to.be.above(config.shutdownGraceMs + second);
  });

  it('has limits of nginx above those of the service', () => {
    expect(numberIn(/client_max_body_size (\d+)m;/) * 1024 * 1024).to.be.above(config.ingest.maxBytes);
    const waits = [config.flushWaitMs, config.ingest.waitMs, config.notebooks.deadlineMs];
    expect(numberIn(/proxy_read_timeout (\d+)s;/) * second).to.be.above(Math.max(...waits));
  });
});
