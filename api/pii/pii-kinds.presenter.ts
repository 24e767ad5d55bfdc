import { type Static, Type } from 'typebox';
import { type PiiKind, piiTypes } from '../../shared/pii/pii-kind.ts';
import { count, nullable, oneOf } from '../http/response-types.ts';

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

export const piiKindListResponse = Type.Object(
  { items: Type.Array(piiKindResponse), total: count() },
  { $id: 'PiiKindList' },
);

export function presentPiiKind(kind: PiiKind): Static<typeof piiKindResponse> {
  return {
    type: kind.type,
    country: kind.country ?? null,
    scheme: kind.scheme,
    name: kind.name,
    pattern: kind.pattern,
    checksum: kind.checksum,
    context: kind.context,
    keywords: [...kind.keywords],
    source: kind.source,
  };
}
