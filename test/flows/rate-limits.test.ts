import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import { expect } from 'chai';
import { openRedis } from '../../shared/connections/redis.ts';
import { type Account, createAccount, createApiKey } from '../support/accounts.ts';
import { startTcpProxy } from '../support/proxy.ts';
import { expectError } from '../support/requests.ts';
import { getTestServers } from '../support/test-servers.ts';
import { sendRequest, startSecondWebProcess, startTestService, withApp } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

const limit = 12;

interface LimitedResponse {
  status: number;
  limit: number;
  remaining: number;
  reset: number;
}

/** Sends a request over a connection of the agent, from `localAddress`. */
async function send(url: string, agent: Agent, headers: Record<string, string>, localAddress = '127.0.0.1') {
  const outgoing = httpRequest(`${url}/ingest`, { method: 'POST', agent, headers, localAddress });
  outgoing.end();
  const [response] = await once(outgoing, 'response');
  response.resume();
  await once(response, 'end');
  const number = (name: string) => Number(response.headers[name] ?? Number.NaN);
  const limited: LimitedResponse = {
    status: response.statusCode,
    limit: number('x-ratelimit-limit'),
    remaining: number('x-ratelimit-remaining'),
    reset: number('x-ratelimit-reset'),
  };
  return limited;
}

describe('rate limits', () => {
  const service = startTestService({ workers: false, environment: { RATE_LIMIT_INGEST: String(limit) } });
  const webs = startSecondWebProcess(service);
  const keyOf = async (owner: Account) => ({ 'X-API-Key': (await createApiKey(service, owner)).key });
  /** A key of an account that has sent no request yet. */
  const newKey = async () => keyOf(await createAccount(service));
  const ingest = (headers: Record<string, string>) => service.request('POST', '/ingest', { headers });

  it('exactly n of 3n requests over three connections and two web processes are accepted', async () => {
    const headers = await newKey();
    const agents = [1, 2, 3].map(() => new Agent({ keepAlive: true, maxSockets: 1 }));
    const started = Math.floor(Date.now() / 1000);
    const responses = await Promise.all(
      Array.from({ length: 3 * limit }, (_, index) => send(webs[index % 2]!.url, agents[index % 3]!, headers)),
    );
    const ended = Math.ceil(Date.now() / 1000);
    for (const agent of agents) agent.destroy();
    const passed = responses.filter(({ status }) => status !== 429);
    // A 400 has passed the limit: the request has no X-Scenario-ID.
    expect(passed.map(({ status }) => status)).to.deep.equal(Array.from({ length: limit }, () => 400));
    expect(passed.map(({ remaining }) => remaining).sort((a, b) => b - a)).to.deep.equal(
      Array.from({ length: limit }, (_, index) => limit - 1 - index),
    );
    for (const response of responses) {
      expect(response.limit).to.equal(limit);
      expect(response.reset).to.be.within(started + 60, ended + 60);
      if (response.status === 429) expect(response.remaining).to.equal(0);
    }
  });

  it('a refusal reports the time to wait, which is at most 3 seconds for exporters of OpenTelemetry', async () => {
    const headers = await newKey();
    for (let count = 0; count < limit; count += 1) await ingest(headers);
    const sentAt = Math.floor(Date.now() / 1000);
    const response = await ingest(headers);
    const respondedAt = Math.ceil(Date.now() / 1000);
    expectError(response, 429, 'RATE_LIMITED');
    const [{ retry_after: wait }] = response.body.error.details;
    expect(response.body.error.details).to.deep.equal([{ retry_after: wait }]);
    expect(wait).to.be.an('number').within(1, 60);
    expect(response.headers.get('Retry-After')).to.equal(String(wait));
    expect(response.body.error.message).to.contain(`${wait} seconds`);
    const reset = Number(response.headers.get('X-RateLimit-Reset'));
    expect(reset).to.be.within(sentAt + wait - 1, respondedAt + wait + 1);
    const exported = await service.request('POST', '/v1/logs', { headers, body: {} });
    expect(exported.status, exported.text).to.equal(429);
    expect(Number(exported.headers.get('Retry-After'))).to.be.within(1, 3);
    expect(Number(exported.headers.get('X-RateLimit-Reset'))).to.be.greaterThan(0);
  });

  it('requests count per account with all of its keys, otherwise per address', async () => {
    const remaining = async (headers: Record<string, string>) =>
      Number((await ingest(headers)).headers.get('X-RateLimit-Remaining'));
    const owner = await createAccount(service);
    const [one, other] = [await keyOf(owner), await keyOf(owner)];
    expect([await remaining(one), await remaining(one)]).to.deep.equal([limit - 1, limit - 2]);
    expect(await remaining(other)).to.equal(limit - 3);
    expect(await remaining({ ...one, ...owner.headers })).to.equal(limit - 4);
    expect(await remaining(owner.headers)).to.equal(limit - 5);
    expect(await remaining(await newKey())).to.equal(limit - 1);
    // X-Forwarded-For is ignored without a trusted proxy.
    expect(await remaining({ 'X-Forwarded-For': '192.0.2.7' })).to.equal(limit - 1);
    expect(await remaining({ 'X-Forwarded-For': '192.0.2.8' })).to.equal(limit - 2);
    const agent = new Agent();
    expect((await send(service.url, agent, {}, '127.0.0.9')).remaining).to.equal(limit - 1);
    agent.destroy();
  });

  it('requests count in the process while Redis is unreachable', async () => {
    const proxy = await startTcpProxy(getTestServers().redisUrl);
    const redis = await openRedis(proxy.url, 'request', service.app.log);
    const config = { ...service.config, rateLimits: { ...service.config.rateLimits, ingest: 3 } };
    await withApp({ ...service.app, redis, config }, async (url) => {
      const statuses = async (count: number) => {
        const found: number[] = [];
        for (let sent = 0; sent < count; sent += 1) found.push((await sendRequest(url, 'POST', '/ingest')).status);
        return found;
      };
      expect(await statuses(1)).to.deep.equal([400]);
      await proxy.stop();
      await waitUntil('the connection to be lost', () => redis.status !== 'ready');
      expect(await statuses(5)).to.deep.equal([400, 400, 400, 429, 429]);
    });
    redis.disconnect();
  });
});

describe('rate limits behind a proxy', () => {
  const service = startTestService({
    workers: false,
    environment: { RATE_LIMIT_INGEST: String(limit), RATE_LIMIT_NOTEBOOKS: '12', TRUST_PROXY: '1' },
  });

  it('requests without valid credentials count against the limit of the route for their network, and their 401 shows it', async () => {
    /** A request that passes is 400, because the query is invalid: it waits for no worker. */
    const list = (headers: Record<string, string>, address = '192.0.2.10') =>
      sendRequest(service.url, 'GET', '/api/v1/notebooks?limit=x', {
        headers: { ...headers, 'X-Forwarded-For': address },
      });
    const sent: Record<string, string>[] = [{}, { 'X-API-Key': 'mb_none' }, { Authorization: 'Bearer none' }];
    for (const [index, headers] of sent.entries()) {
      const refused = await list(headers);
      expectError(refused, 401, 'AUTH_ERROR');
      expect(refused.headers.get('X-RateLimit-Limit')).to.equal('12');
      expect(refused.headers.get('X-RateLimit-Remaining')).to.equal(String(11 - index));
      expect(Number(refused.headers.get('X-RateLimit-Reset'))).to.be.greaterThan(Date.now() / 1000);
    }
    for (let count = 0; count < 9; count += 1) await list({});
    expectError(await list({}), 429, 'RATE_LIMITED');
    expect((await list({}, '192.0.2.11')).status).to.equal(401);
  });

  for (const [what, ...addresses] of [
    ['the address that the proxy has added', '192.0.2.2', '10.0.0.1, 192.0.2.2'],
    ['what is not an address, together', 'not an address', 'nor is this'],
    ['an IPv6 network of 64 bits', '2001:db8:1:2::1', '2001:DB8:1:2:ffff::9'],
    ['an IPv4 address in IPv6', '::ffff:192.0.2.40', '192.0.2.40'],
    ['an address with a port', '192.0.2.50:4711', '192.0.2.50'],
    ['an IPv6 address with a port', '[2001:db8:9::1]:4711', '[2001:db8:9::2]'],
  ] as const) {
    it(`requests count for ${what}`, async () => {
      const counted = [];
      for (const address of addresses) {
        const headers = { 'X-Forwarded-For': address };
        const response = await service.request('POST', '/ingest', { headers });
        counted.push(limit - Number(response.headers.get('X-RateLimit-Remaining')));
      }
      expect(counted).to.deep.equal([1, 2]);
    });
  }
});
