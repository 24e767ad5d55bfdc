import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import { withRedis } from '../../shared/connections/redis.ts';
import { validationError } from '../../shared/errors.ts';
import { mustBeOneOf } from '../../shared/quoted.ts';
import { actorOf } from '../audit/audit-trail.ts';
import { adminAccess } from '../http/access/access-rules.ts';
import { Joi } from '../http/joi.ts';
import { json, reply } from '../http/response.ts';
import { uuid } from '../http/response-types.ts';
import { defineRoute, type Route, type RouteSettings } from '../http/route.ts';
import { priceBookTag } from './price-book.routes.ts';

const acceptedRefresh = Type.Object(
  {
    job_id: uuid(),
    queue: Type.Unsafe<string>({ type: 'string', const: 'refresh-prices' }),
    source: Type.String(),
  },
  { $id: 'PriceRefresh' },
);

/** `POST /api/v1/price-books/refresh`: the prices of a configured source as a new version. */
export function refreshPricesRoutes({ config }: RouteSettings): Route[] {
  const names = [...config.prices.sources.keys()];
  return [
    defineRoute({
      method: 'POST',
      path: '/api/v1/price-books/refresh',
      operationId: 'refreshPrices',
      tag: priceBookTag,
      summary: 'Apply the prices of a configured source as a new version of the price book',
      description:
        'The sources are those of `PRICE_SOURCES`. A job reads one, all or nothing; `GET /api/v1/jobs?request_id=…` has its outcome, and an audit record names the version, or why the source was refused.',
      access: adminAccess,
      body: {
        name: 'PriceRefreshRequest',
        schema: Joi.object<{ source: string }>({ source: Joi.string().max(100).required() }),
        example: { source: names[0] ?? 'vendor' },
      },
      responses: { 202: json(acceptedRefresh) },
      errors: { SERVICE_UNAVAILABLE: 'The queue is unreachable.' },
      handle: async ({ body: { source }, caller, requestId, operation }, { queues }) => {
        if (!config.prices.sources.has(source)) {
          const error = names.length === 0 ? 'PRICE_SOURCES configures none' : mustBeOneOf(names, source);
          throw validationError([{ field: 'source', error }]);
        }
        const { requestId: _, ...actor } = actorOf(caller, requestId);
        const jobId = operation?.id ?? randomUUID();
        await withRedis(() => queues['refresh-prices'].add({ source, actor, requestId }, { jobId }));
        return reply(202, { job_id: jobId, queue: 'refresh-prices', source });
      },
    }),
  ];
}
