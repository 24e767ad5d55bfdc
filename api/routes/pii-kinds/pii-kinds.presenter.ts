import type { PiiKind } from '../../../shared/pii-kinds/pii-kind.ts';

export function presentPiiKind(kind: PiiKind) {
  return {
    type: kind.type,
    country: kind.country ?? null,
    scheme: kind.scheme,
    name: kind.name,
    pattern: kind.pattern,
    checksum: kind.checksum,
    context: kind.context,
    keywords: kind.keywords,
    source: kind.source,
  };
}
