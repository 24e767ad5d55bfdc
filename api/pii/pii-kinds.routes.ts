import type { PiiKind } from '../../shared/pii/pii-kind.ts';
import { PII_KINDS } from '../../shared/pii/pii-kinds.ts';
import { openAccess } from '../http/access/access-rules.ts';
import { json, reply } from '../http/response.ts';
import { defineRoute, type Route, type RouteSettings } from '../http/route.ts';
import { piiKindListResponse, presentPiiKind } from './pii-kinds.presenter.ts';

/** `GET /api/v1/pii-kinds`: the kinds of personal data that the configuration enables. */
export function piiKindRoutes({ config }: RouteSettings): Route[] {
  const { kinds, countries } = config.pii;
  const all: readonly PiiKind[] = PII_KINDS;
  const items = all
    .filter(
      ({ type, country }) =>
        kinds.includes(type) && (country === undefined || countries === undefined || countries.includes(country)),
    )
    .map(presentPiiKind);

  return [
    defineRoute({
      method: 'GET',
      path: '/api/v1/pii-kinds',
      operationId: 'listPiiKinds',
      tag: { name: 'pii-kinds', description: 'The personal data that messages are scanned for.' },
      summary: 'List the kinds of personal data that messages are scanned for, with their rules',
      access: openAccess('scenarios:read', 'service'),
      compressed: 'each',
      responses: { 200: json(piiKindListResponse) },
      handle: async () => reply(200, { items, total: items.length }),
    }),
  ];
}
