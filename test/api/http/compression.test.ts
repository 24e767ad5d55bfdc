import { createHook } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import Koa, { type Middleware } from 'koa';
import { compression } from '../../../api/http/compression.ts';
import type { AppState } from '../../../api/http/context.ts';
import { stopListening } from '../../../api/http/http-server.ts';
import { listenOnFreePort } from '../../support/test-service.ts';
import { waitUntil } from '../../support/wait-until.ts';

describe('compression of several routes', () => {
  const body = { random: randomBytes(1_000_000).toString('hex') };
  /** Compressions that have begun, and those whose responses were sent. */
  const count = { begun: 0, ended: 0, most: 0 };
  const hook = createHook({
    init: (_id, type) => {
      if (type !== 'ZLIB') return;
      count.begun += 1;
      setImmediate(() => {
        count.most = Math.max(count.most, count.begun - count.ended);
      });
    },
  });
  beforeEach(() => {
    Object.assign(count, { begun: 0, ended: 0, most: 0 });
    hook.enable();
  });
  afterEach(() => {
    hook.disable();
  });

  /** Each request has a route of its own, and gets its response when `isReady` is true. */
  async function serve(isReady: (ctx: Parameters<Middleware>[0]) => boolean) {
    const routes = new Map<string, Middleware<AppState>>();
    const app = new Koa<AppState>();
    app.use(async (ctx) => {
      const compress = routes.get(ctx.path) ?? compression('each');
      routes.set(ctx.path, compress);
      await compress(ctx, async () => {
        await waitUntil('the moment of the response', () => isReady(ctx));
        ctx.body = body;
      });
      count.ended += 1;
    });
    const { server, url } = await listenOnFreePort(app);
    const send = (path: string) => request(url + path, { headers: { 'Accept-Encoding': 'gzip' } }).end();
    return { send, routes, stop: () => stopListening(server, 0) };
  }

  it('compresses two bodies at a time', async () => {
    const { send, routes, stop } = await serve(() => routes.size === 8);
    const read = async (sent: ClientRequest) => {
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      await text(response);
      return response.headers['content-encoding'];
    };
    const responses = await Promise.all(Array.from({ length: 8 }, (_, route) => read(send(`/${route}`))));
    expect(responses).to.deep.equal(Array.from({ length: 8 }, () => 'gzip'));
    expect([count.begun, count.most]).to.deep.equal([8, 2]);
    await stop();
  });

  it('compresses nothing for clients that have disconnected', async () => {
    const { send, routes, stop } = await serve(({ res }) => res.destroyed);
    const sent = send('/gone').on('error', () => {});
    await waitUntil('the request to arrive', () => routes.size === 1);
    sent.destroy();
    await waitUntil('the end of the request', () => count.ended === 1);
    expect(count.begun).to.equal(0);
    await stop();
  });
});
