import type { PiiKind, PiiType } from '../../shared/pii/pii-kind.ts';
import { PII_KINDS } from '../../shared/pii/pii-kinds.ts';
import { wrap } from './markdown.ts';

/** Renders one entry for each scheme of a type, in the order of the scanner's table. */
export function renderPiiSchemes(type: PiiType): string {
  const kinds: readonly PiiKind[] = PII_KINDS;
  return kinds
    .filter((kind) => kind.type === type)
    .map(entryOf)
    .join('\n');
}

function entryOf({ scheme, country, name, pattern, checksum, context, source }: PiiKind): string {
  const facts = { 'written as': pattern, check: checksum, keyword: context, source };
  return [
    wrap(`\`${scheme}\`${country === undefined ? '' : ` (${country})`}: ${name}`, { first: '- ', others: '  ' }),
    ...Object.entries(facts).map(([title, text]) => wrap(`${title}: ${text}`, { first: '  - ', others: '    ' })),
  ].join('\n');
}
