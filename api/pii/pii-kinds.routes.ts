import { Type } from 'typebox';
import { piiTypes } from '../../shared/pii/pii-kind.ts';
import { PII_KINDS } from '../../shared/pii/pii-kinds.ts';
import { openAccess } from '../http/access/access-rules.ts';
import { json, reply } from '../http/response.ts';
import { count, nullable, oneOf, present } from '../http/response-types.ts';
import { defineRoute, type Route, type RouteSettings } from '../http/route.ts';

const piiKindResponse = Type.Object({
  type: oneOf(piiTypes),
  country: nullable(Type.String()),
  scheme: Type.String(),
  name: Type.String(),
  pattern: Type.String(),
  checksum: Type.String(),
  context: Type.String(),
  keywords: Type.Array(Type.String()),
  source: Type.String(),
});

const piiKindListResponse = Type.Object({ items: Type.Array(piiKindResponse), total: count() }, { $id: 'PiiKindList' });

export function piiKindRoutes({ config }: RouteSettings): Route[] {
  const { kinds, countries } = config.pii;
  const items = PII_KINDS.filter(
    ({ type, country }) =>
      kinds.includes(type) && (country === undefined || countries === undefined || countries.includes(country)),
  ).map((kind) => present(piiKindResponse, kind));

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
