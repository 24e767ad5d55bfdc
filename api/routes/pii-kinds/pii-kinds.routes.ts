import Router from '@koa/router';
import type { PiiKind } from '../../../shared/pii-kinds/pii-kind.ts';
import { PII_KINDS } from '../../../shared/pii-kinds/pii-kinds.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { AppState } from '../../request/context.ts';
import { presentPiiKind } from './pii-kinds.presenter.ts';

/** `GET /api/v1/pii-kinds`: the personal data that is looked for in messages, as far as the configuration asks for it. */
export function piiKindRoutes({ config }: AppDeps): Router<AppState> {
  const router = new Router<AppState>();
  const { kinds, countries } = config.pii;
  const all: readonly PiiKind[] = PII_KINDS;
  const items = all
    .filter(
      ({ type, country }) =>
        kinds.includes(type) && (country === undefined || countries === undefined || countries.includes(country)),
    )
    .map(presentPiiKind);

  router.get('/api/v1/pii-kinds', (ctx) => {
    ctx.body = { items, total: items.length };
  });

  return router;
}
