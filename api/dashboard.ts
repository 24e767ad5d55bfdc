import { createHash, timingSafeEqual } from 'node:crypto';
import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { KoaAdapter } from '@bull-board/koa';
import type { Middleware } from 'koa';
import compose from 'koa-compose';
import { AppError } from '../shared/errors.ts';
import { allQueues, type QueueName } from '../shared/queues/index.ts';
import type { AppDeps } from './app-deps.ts';

const basePath = '/admin/queues';

/** Bull Board at `/admin/queues`: every queue, behind credentials. Nothing is loaded from other hosts. */
export function dashboard({ queues, config }: Pick<AppDeps, 'queues' | 'config'>): Middleware {
  const serverAdapter = new KoaAdapter();
  serverAdapter.setBasePath(basePath);
  createBullBoard({
    queues: (Object.keys(allQueues) as QueueName[]).map((name) => new BullMQAdapter(queues[name].queue)),
    serverAdapter,
    options: { uiConfig: { boardTitle: 'Meterbook' } },
  });
  const board = compose<Parameters<Middleware>[0]>([
    credentials(config.dashboard),
    sameOrigin,
    localAssets,
    serverAdapter.registerPlugin(),
  ]);
  return (ctx, next) => (ctx.path === basePath || ctx.path.startsWith(`${basePath}/`) ? board(ctx, next) : next());
}

function credentials({ user, password }: AppDeps['config']['dashboard']): Middleware {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  const expected = digest(`Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`);
  return (ctx, next) => {
    // Digests have one length, so the comparison takes the same time for any input.
    if (timingSafeEqual(digest(ctx.get('Authorization')), expected)) return next();
    throw new AppError('AUTH_ERROR', 'The dashboard requires its user and password.', {
      headers: { 'WWW-Authenticate': 'Basic realm="Meterbook queues", charset="UTF-8"' },
    });
  };
}

/** Browsers add the credentials to every request, so a change must come from a page of the dashboard itself. */
const sameOrigin: Middleware = (ctx, next) => {
  const origin = ctx.get('Origin');
  const site = ctx.get('Sec-Fetch-Site');
  const foreign = (origin !== '' && !isOwnOrigin(origin, ctx.host)) || (site !== '' && site !== 'same-origin');
  if (foreign && ctx.method !== 'GET' && ctx.method !== 'HEAD') {
    throw new AppError('FORBIDDEN', 'The dashboard accepts changes from its own pages only.');
  }
  return next();
};

const isOwnOrigin = (origin: string, host: string) => URL.canParse(origin) && new URL(origin).host === host;

/** Removes the link to a stylesheet of a font host from the page. */
const localAssets: Middleware = async (ctx, next) => {
  await next();
  if (ctx.type !== 'text/html' || typeof ctx.body !== 'string') return;
  ctx.body = ctx.body.replaceAll(/<link\b[^>]*href="https?:\/\/[^>]*>/g, '');
  ctx.set(
    'Content-Security-Policy',
    "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:",
  );
};
