import type { Labels } from '../../shared/pii/national-id.ts';
import type { PiiKind, PiiType } from '../../shared/pii/pii-kind.ts';
import { PII_KINDS } from '../../shared/pii/pii-kinds.ts';
import { wrap } from './markdown.ts';

type Row = PiiKind & { readonly labels?: Labels; readonly ambiguousLabels?: Labels };

/** Renders one entry for each scheme of a type, in the order of the scanner's table. */
export function renderPiiSchemes(type: PiiType): string {
  const kinds: readonly Row[] = PII_KINDS;
  return kinds
    .filter((kind) => kind.type === type)
    .map(entryOf)
    .join('\n');
}

function entryOf(row: Row): string {
  const { scheme, country, name, pattern, checksum, context, source, labels, ambiguousLabels } = row;
  const facts = {
    'written as': pattern,
    check: checksum,
    keyword: context,
    source,
    ...(labels === undefined ? {} : { labels: listLabels(labels) }),
    ...(ambiguousLabels === undefined ? {} : { 'ambiguous labels': listLabels(ambiguousLabels) }),
  };
  return [
    wrap(`\`${scheme}\`${country === undefined ? '' : ` (${country})`}: ${name}`, { first: '- ', others: '  ' }),
    ...Object.entries(facts).map(([title, text]) => wrap(`${title}: ${text}`, { first: '  - ', others: '    ' })),
  ].join('\n');
}

/** The labels, each group with its source unless this is the source of the scheme. */
function listLabels(labels: Labels): string {
  return Object.entries(labels)
    .map(([source, texts]) => {
      const note = source === 'official' ? '' : ` (${source === 'unsourced' ? 'no source known' : source})`;
      return texts.join(', ') + note;
    })
    .join('; ');
}
