import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import Koa from 'koa';
import type { AppState } from '../../../api/http/context.ts';
import { handleErrors } from '../../../api/http/error-envelope.ts';
import { observeRequests } from '../../../api/http/observe-requests.ts';
import { requestTimeout } from '../../../api/http/request-timeout.ts';
import { createMetrics } from '../../../shared/process/metrics.ts';
import { captureLog } from '../../support/capture-log.ts';

describe('the time of a request', () => {
  let server: Server;
  let finish = () => {};
  before(async () => {
    const app = new Koa<AppState>();
    app.use(observeRequests(captureLog().log, createMetrics()));
    app.use(handleErrors());
    app.use(requestTimeout(50));
    app.use(async (ctx) => {
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      ctx.body = { late: true };
    });
    const handle = app.callback();
    server = createServer((...exchange) => void handle(...exchange)).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  after(() => server.close());

  /** The body is sent without its end if its length is larger. */
  const send = async (length: number) => {
    const { port } = server.address() as AddressInfo;
    const sent = request({ port, method: 'POST', headers: { 'Content-Length': length } });
    sent.on('error', () => {});
    sent.write('{}');
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    let text = '';
    for await (const piece of response.setEncoding('utf8')) text += piece;
    finish();
    sent.destroy();
    return { response, body: JSON.parse(text) as { error: { code: string } } };
  };

  it('ends with 503, and what its handler returns later is not sent', async () => {
    const { response, body } = await send(2);
    expect([response.statusCode, body.error.code]).to.deep.equal([503, 'SERVICE_UNAVAILABLE']);
    expect(Number(response.headers['retry-after'])).to.be.greaterThan(0);
  });

  it('ends with 408 if the body has not arrived', async () => {
    const { response, body } = await send(10);
    expect([response.statusCode, body.error.code]).to.deep.equal([408, 'VALIDATION_ERROR']);
  });
});
