import { type Comparison, changesOf, type Finding } from '../../shared/cost/price-changes/finding.ts';
import type { SourceReading } from '../../shared/cost/price-sources/read-source.ts';
import { compactTable } from './terminal.ts';

/** The findings that `diff` shows, in this order. */
const shownTypes = ['change', 'addition', 'removal', 'stale', 'announced'] as const;

/** The output of `diff`: the refusals, or a table of changes and the unused parts of the source. */
export function formatDiff(reading: SourceReading, comparison: Comparison): string {
  const { findings, leftOut, refusals } = comparison;
  if (refusals.length > 0) return formatRefusals(refusals);
  const shown = shownTypes.flatMap((type) => findings.filter((finding) => finding.type === type));
  const same = findings.filter(({ type }) => type === 'same').length;
  const extra = findings.filter(({ type }) => type === 'extra').length;
  const changes = changesOf(comparison).length;
  return [
    ...(shown.length > 0 ? [findingsTable(shown)] : []),
    `${reading.points.length} prices read, ${same} agree, ${changes} would change.`,
    ...(extra > 0 ? [`${extra} prices that the book does not have are not added (--json has the reasons).`] : []),
    ...(leftOut.length > 0 ? ['Not used, so that the book keeps its own price:', ...listPlaces(leftOut)] : []),
    ...formatUnused(reading),
  ].join('\n');
}

/** All findings except agreements as JSON. */
export function toJson(reading: SourceReading, { findings, leftOut, refusals }: Comparison, more: object = {}): string {
  const result = {
    source: reading.source,
    read: reading.points.length,
    agree: findings.filter(({ type }) => type === 'same').length,
    ...more,
    findings: findings.filter(({ type }) => type !== 'same'),
    refusals,
    not_used: leftOut.map(({ where, reason }) => ({ where, reason })),
    unmapped: [...reading.unmapped].map(([name, where]) => ({ name, where })),
    left_out: Object.fromEntries(reading.leftOut),
  };
  return JSON.stringify(result, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value), 2);
}

const formatRefusals = (refusals: Comparison['refusals']): string =>
  ['The source is refused, and nothing of it is used:', ...listPlaces(refusals)].join('\n');

function listPlaces(refusals: Comparison['refusals']): string[] {
  const lines = refusals.slice(0, 20).map(({ where, reason }) => `  ${where}: ${reason}`);
  return refusals.length > 20 ? [...lines, `  and ${refusals.length - 20} more (--json lists all)`] : lines;
}

function formatUnused({ unmapped, leftOut }: SourceReading): string[] {
  const names = [...unmapped].slice(0, 50).map(([name, where]) => `  ${name} (${where})`);
  return [
    ...(leftOut.size > 0 ? ['Left out:', ...[...leftOut].map(([reason, count]) => `  ${count} × ${reason}`)] : []),
    ...(names.length > 0 ? ['Not in the price book:', ...names] : []),
    ...(unmapped.size > names.length ? [`  and ${unmapped.size - names.length} more (--json lists all)`] : []),
  ];
}

function findingsTable(findings: readonly Finding[]): string {
  const head = ['', 'price', 'old', 'new', '%', 'date', 'source'];
  const rows = findings.map((finding) => {
    const { type, old, percent, date, where, note } = finding;
    const place = note === undefined ? where : `${where} (${note})`;
    return [type, describeLine(finding), old ?? '', finding.new ?? '', percent ?? '', date ?? '', place];
  });
  return compactTable(head, rows);
}

/** `function eu-west-1 x86_64 gb_second up to 6000000000`. */
function describeLine({ service, scope, item, kind, to }: Finding): string {
  const tier = to === null ? '' : ` up to ${to}`;
  return `${service} ${scope} ${item} ${kind}${tier}`;
}
