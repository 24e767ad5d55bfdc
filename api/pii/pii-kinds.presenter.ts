import { type Static, Type } from 'typebox';
import { type PiiKind, piiTypes } from '../../shared/pii/pii-kind.ts';
import { count, nullable, oneOf } from '../http/answer-types.ts';

const piiKindAnswer = Type.Object({
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

export const piiKindListAnswer = Type.Object(
  { items: Type.Array(piiKindAnswer), total: count() },
  { $id: 'PiiKindList' },
);

export function presentPiiKind(kind: PiiKind): Static<typeof piiKindAnswer> {
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
