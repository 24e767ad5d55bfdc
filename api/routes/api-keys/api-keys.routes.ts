import Router from '@koa/router';
import type { ApiKey } from '../../../shared/models/api-key.model.ts';
import type { AppDeps } from '../../app-deps.ts';
import { contentTag, sendWithTag } from '../../middleware/entity-tag.ts';
import { jsonBody } from '../../middleware/json-body.ts';
import { userOf } from '../../request/caller.ts';
import type { AppContext, AppState } from '../../request/context.ts';
import { validateQuery } from '../../validation/query.ts';
import { validate } from '../../validation/validate.ts';
import { createApiKey, findApiKey, listApiKeys, removeApiKey, rotateApiKey, updateApiKey } from './api-key-store.ts';
import { presentApiKey } from './api-keys.presenter.ts';
import { apiKeyCreate, apiKeyList, apiKeyPath, apiKeyRotate, apiKeyUpdate } from './api-keys.schemas.ts';

/** `/api/v1/api-keys`: the keys of an account. */
export function apiKeyRoutes({ models, config }: AppDeps): Router<AppState> {
  const router = new Router<AppState>({ prefix: '/api/v1/api-keys' });
  const listQuery = apiKeyList(config.pageSize);

  router.post('/', jsonBody(), async (ctx) => {
    const fields = validate(apiKeyCreate, ctx.request.body);
    const { apiKey, key } = await createApiKey(models, userOf(ctx), fields);
    ctx.status = 201;
    ctx.set('Location', `/api/v1/api-keys/${apiKey._id}`);
    sendNewKey(ctx, apiKey, key);
  });

  router.get('/', async (ctx) => {
    const query = validateQuery(listQuery, ctx);
    const { apiKeys, total, page, pageSize } = await listApiKeys(models, userOf(ctx), query);
    ctx.body = { items: apiKeys.map(presentApiKey), total, page, page_size: pageSize };
  });

  router.get('/:id', async (ctx) => {
    const { id } = validate(apiKeyPath, ctx.params);
    const shown = presentApiKey(await findApiKey(models, userOf(ctx), id));
    // Of the content: uses, and the end of a grace, are no revisions.
    sendWithTag(ctx, contentTag(shown), shown);
  });

  router.patch('/:id', jsonBody(), async (ctx) => {
    const { id } = validate(apiKeyPath, ctx.params);
    const changes = validate(apiKeyUpdate, ctx.request.body);
    const shown = presentApiKey(await updateApiKey(models, userOf(ctx), id, changes));
    ctx.set('ETag', contentTag(shown));
    ctx.body = shown;
  });

  router.delete('/:id', async (ctx) => {
    const { id } = validate(apiKeyPath, ctx.params);
    await removeApiKey(models, userOf(ctx), id);
    ctx.status = 204;
  });

  router.post('/:id/rotate', jsonBody({ optional: true }), async (ctx) => {
    const { id } = validate(apiKeyPath, ctx.params);
    const { grace_seconds: graceSeconds } = validate(apiKeyRotate, ctx.request.body ?? {});
    const { apiKey, key } = await rotateApiKey(models, userOf(ctx), id, graceSeconds);
    sendNewKey(ctx, apiKey, key);
  });

  return router;
}

/** With the key itself, this once; no cache between here and the caller may keep it. */
function sendNewKey(ctx: AppContext, apiKey: ApiKey, key: string): void {
  const shown = presentApiKey(apiKey);
  ctx.set('Cache-Control', 'no-store');
  ctx.set('ETag', contentTag(shown));
  ctx.body = { ...shown, key };
}
