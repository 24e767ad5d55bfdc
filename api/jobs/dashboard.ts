import type { Context, Middleware } from 'koa';
import compose from 'koa-compose';
import { allQueues, type QueueName } from '../../shared/all-queues.ts';
import { isSameSecret } from '../../shared/crypto/sha256.ts';
import { AppError, rateLimited } from '../../shared/errors.ts';
import type { AppDeps, RouteDeps } from '../app-deps.ts';
import { clientAddress } from '../http/access/caller.ts';
import { inSeconds, minuteInSeconds } from '../http/access/rate-limiter.ts';
import type { AppState } from '../http/context.ts';
import { securityHeaders } from '../http/default-headers.ts';
import { codeOfStatus, presentError } from '../http/error-envelope.ts';

export const dashboardPath = '/admin/queues';

type Deps = Pick<RouteDeps, 'queues' | 'config' | 'metrics' | 'rateLimiter'>;

/**
 * Serves Bull Board with every queue at `/admin/queues`. It requires credentials, and loads nothing
 * from other hosts.
 */
export function dashboard(deps: Deps): Middleware<AppState> {
  const { queues } = deps;
  let bullBoard: Promise<Middleware<AppState>> | undefined;
  const board = compose<Parameters<Middleware<AppState>>[0]>([
    requireDashboardCredentials(deps),
    sameOrigin,
    ownErrors,
    workerPolicy,
    localAssets,
    async (ctx, next) => {
      bullBoard ??= loadBullBoard(queues);
      return (await bullBoard)(ctx, next);
    },
  ]);
  return (ctx, next) => {
    if (ctx.path !== dashboardPath && !ctx.path.startsWith(`${dashboardPath}/`)) return next();
    ctx.state.route = `${ctx.method} ${dashboardPath}`;
    return board(ctx, next);
  };
}

/** Loads Bull Board at its first request. It would take a tenth of the start of every `web`. */
async function loadBullBoard(queues: AppDeps['queues']): Promise<Middleware<AppState>> {
  const [{ createBullBoard }, { BullMQAdapter }, { KoaAdapter }] = await Promise.all([
    import('@bull-board/api'),
    import('@bull-board/api/bullMQAdapter'),
    import('@bull-board/koa'),
  ]);
  const serverAdapter = new KoaAdapter();
  serverAdapter.setBasePath(dashboardPath);
  createBullBoard({
    queues: (Object.keys(allQueues) as QueueName[]).map((name) => new BullMQAdapter(queues[name].queue)),
    serverAdapter,
    options: { uiConfig: { boardTitle: 'Meterbook' } },
  });
  return serverAdapter.registerPlugin();
}

/**
 * Requires the user `admin` and the password. Wrong credentials are limited per network, like
 * logins; missing ones are not.
 */
function requireDashboardCredentials({ config, rateLimiter, metrics }: Deps): Middleware<AppState> {
  const expected = `Basic ${Buffer.from(`admin:${config.dashboardPassword}`).toString('base64')}`;
  const allowance = { name: 'dashboard', limit: config.rateLimits.login, seconds: minuteInSeconds };
  return async (ctx, next) => {
    const { network } = clientAddress(ctx);
    const sent = ctx.get('Authorization');
    if (sent !== '') {
      const matches = isSameSecret(sent, expected);
      // One command counts and reads, so that concurrent guesses cannot pass together. Right
      // credentials count nothing, because a browser sends several requests at once, but they too
      // are refused at the limit.
      const { allowed, remaining, resetsIn } = await rateLimiter.consume(allowance, network, matches ? 0 : 1);
      if (!allowed || (matches && remaining === 0)) {
        if (allowed) metrics.rateLimitRefusals.inc({ limit: allowance.name });
        throw rateLimited(inSeconds(resetsIn));
      }
      if (matches) return next();
    }
    throw new AppError('AUTH_ERROR', 'The dashboard requires its user and password.', {
      headers: { 'WWW-Authenticate': 'Basic realm="Meterbook queues", charset="UTF-8"' },
    });
  };
}

/**
 * Browsers add the credentials to every request, so a change must come from a page of the
 * dashboard.
 */
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

/**
 * Puts the errors of Bull Board into the error envelope. Bull Board's pages show the `message`
 * beside the envelope.
 */
const ownErrors: Middleware<AppState> = async (ctx, next) => {
  await next();
  const { status } = ctx;
  if (status < 400) return;
  const { error, message } = (ctx.body ?? {}) as { error?: unknown; message?: unknown };
  const code = codeOfStatus[status] ?? 'INTERNAL_ERROR';
  const text = [message, error, ctx.response.message].find((part) => typeof part === 'string' && part !== '');
  const shown = code === 'INTERNAL_ERROR' ? 'The dashboard failed.' : String(text);
  ctx.body = { ...presentError(new AppError(code, shown), ctx.state.requestId), message: shown };
  ctx.status = status;
};

/**
 * Bull Board's editor adds styles to the page as it is used. No style or image can send anything to
 * another host.
 */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "base-uri 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * Removes the links to other hosts from the page: Bull Board loads a stylesheet of a font host. All
 * other links are relative to its base.
 */
const localAssets: Middleware = async (ctx, next) => {
  await next();
  if (ctx.type !== 'text/html' || typeof ctx.body !== 'string') return;
  ctx.body = ctx.body
    .replaceAll(/<link\b[^>]*href="https?:\/\/[^>]*>/g, '')
    .replace('<base href="', `$&${forwardedPrefix(ctx)}`);
  ctx.set('Content-Security-Policy', pagePolicy);
};

/** Bull Board's worker that highlights errors and data. */
const workerScript = /\/static\/js\/[\w./-]*worker[\w.-]*\.js$/;

/** A worker obeys the policy of its own script, not that of the page. It loads further scripts. */
const workerPolicy: Middleware = (ctx, next) => {
  if (workerScript.test(ctx.path)) {
    ctx.set('Content-Security-Policy', `${securityHeaders['Content-Security-Policy']}; script-src 'self'`);
  }
  return next();
};

/**
 * The part of the path that a trusted proxy has removed (`X-Forwarded-Prefix`), without a slash at
 * its end.
 */
function forwardedPrefix(ctx: Context): string {
  const prefix = ctx.app.proxy ? ctx.get('X-Forwarded-Prefix').replace(/\/$/, '') : '';
  return /^(?:\/[\w.~-]+)+$/.test(prefix) ? prefix : '';
}
