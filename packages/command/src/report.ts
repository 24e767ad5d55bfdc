// The estimate as sections of tables and sentences, which are shown in a terminal or as Markdown.
import Table from 'cli-table3';
import { markdownTable } from 'markdown-table';
import { formatFineUsd, formatNumber, formatRoundUsd, formatShare } from '../../../shared/amounts.ts';
import { remarkSentences } from '../../../shared/cost/present-cost.ts';
import { shortened } from '../../../shared/quoted.ts';
import type { CostGroup, Estimate } from './estimate.schema.ts';

interface Section {
  title: string;
  head?: readonly string[];
  rows?: readonly (readonly string[])[];
  /** Sentences below the table. */
  notes?: readonly string[];
}

const maxRows = 10;
const nameCharacters = 110;
const cellCharacters = 1_000;

/** One line without control characters, which a log could send to a terminal. */
const shown = (text: string, most = nameCharacters) => shortened(text, most);

export function estimateSections(estimate: Estimate): Section[] {
  const groups = [
    ['Line patterns', 'pattern', estimate.patterns],
    ['Levels', 'level', estimate.levels],
    ['Sources', 'source', estimate.sources],
    ['Models', 'model', estimate.models],
  ] as const;
  return [
    { title: '', notes: [estimate.sentence] },
    serviceSection(estimate),
    designSection(estimate),
    ...groups.filter(([title, , items]) => title === 'Line patterns' || items.length > 1).map(groupSection),
    savingSection(estimate),
    piiSection(estimate.personal_data),
    unreadSection(estimate),
  ].filter((section) => (section.rows ?? section.notes ?? []).length > 0);
}

/** A log can have no rate of a month. */
const monthOf = ({ month }: Estimate['present'], name: 'queue' | 'function' | 'inference' | 'total') =>
  month ? formatRoundUsd(month[name]) : '–';

function serviceSection({ cost_breakdown: services, totals, present }: Estimate): Section {
  const usageOf = (usage: Readonly<Record<string, number | string>>) =>
    Object.entries(usage)
      .map(([unit, value]) => `${formatNumber(value)} ${unit.replaceAll('_', ' ')}`)
      .join(', ');
  return {
    title: 'Cost by service',
    head: ['service', 'usage', 'cost', 'share', 'a month'],
    rows: [
      ...services.map(({ service, usage, cost, share }) => [
        service,
        usageOf(usage),
        formatFineUsd(cost),
        formatShare(share),
        monthOf(present, service),
      ]),
      ['total', `${formatNumber(totals.logs)} entries`, formatFineUsd(totals.cost), '', monthOf(present, 'total')],
    ],
  };
}

function designSection({ present, items, basis, cheapest }: Estimate): Section {
  const row = (name: string, design: Estimate['present']) => [
    name,
    formatFineUsd(design.cost.total),
    monthOf(design, 'total'),
    formatNumber(design.flow.model_entries),
  ];
  return {
    title: 'Designs',
    head: ['design', 'these entries', 'a month', 'entries for the model'],
    rows: [
      row('as it is', present),
      ...items.map((item) => row(item.name === cheapest ? `${item.name} (cheapest)` : item.name, item)),
    ],
    notes: [basis],
  };
}

function groupSection([title, name, items]: readonly [string, string, readonly CostGroup[]]): Section {
  const rows = items
    .slice(0, maxRows)
    .map((item) => [
      formatNumber(item.entries),
      formatShare(item.share),
      formatFineUsd(item.cost),
      item.month === null ? '–' : formatRoundUsd(item.month),
      formatNumber(item.personal_data),
      shown(item.name),
    ]);
  const more = items.length - rows.length;
  return {
    title: `${title} by cost`,
    head: ['entries', 'share', 'cost', 'a month', 'personal data', name],
    rows,
    notes: more > 0 ? [`${more} more with --json or --csv.`] : [],
  };
}

function savingSection({ savings }: Estimate): Section {
  return {
    title: 'What a month would save',
    head: ['saves', 'by', 'pattern', 'arithmetic'],
    rows: savings.map(({ month, action, pattern, arithmetic }) => [
      formatRoundUsd(month),
      action,
      shown(pattern, 60),
      arithmetic,
    ]),
  };
}

export function piiSection(rows: Estimate['personal_data']): Section {
  return {
    title: 'Personal data',
    head: ['kind', 'field', 'findings', 'entries', 'redacted example'],
    rows: rows
      .slice(0, 2 * maxRows)
      .map(({ type, country, field, findings, entries, example }) => [
        country ? `${type} ${country}` : type,
        shown(field, 40),
        formatNumber(findings),
        formatNumber(entries),
        shown(example, 90),
      ]),
  };
}

/** The entries that figures leave out. */
function unreadSection({ not_understood: inputs, skipped, totals }: Estimate): Section {
  const count = (number: number, what: string) => (number > 0 ? [`${formatNumber(number)} ${what}.`] : []);
  return {
    title: 'Not understood',
    notes: [
      ...inputs.flatMap(({ name, rejected, errors, refused }) => [
        ...count(rejected, `entries of ${name} are rejected`),
        ...errors.map(({ entry, error }) => `${name}, entry ${entry}: ${shown(error, 200)}`),
        ...refused.slice(0, 5).map((error) => `${name}: ${shown(error, 200)}`),
      ]),
      ...remarkSentences(totals).map((sentence) => shown(sentence, 300)),
      ...count(skipped, 'entries have no message, and are skipped'),
    ],
  };
}

/** The columns of numbers. */
const figures = /^(?:cost|share|a month|these entries|entries for the model|entries|personal data|findings|saves|of)$/;

export function renderText(sections: readonly Section[]): string {
  return sections
    .map(({ title, head, rows = [], notes = [] }) => {
      const parts = title === '' ? [] : [title];
      if (head && rows.length > 0) {
        const table = new Table({
          head: [...head],
          style: { head: [], border: [] },
          chars: { ...noBorders, middle: '  ' },
          colAligns: head.map((name) => (figures.test(name) ? 'right' : 'left')),
        });
        table.push(...rows.map((row) => [...row]));
        parts.push(table.toString().replace(/ +$/gm, ''));
      }
      return [...parts, ...notes].join('\n');
    })
    .join('\n\n')
    .concat('\n');
}

const noBorders = Object.fromEntries(
  'top top-mid top-left top-right bottom bottom-mid bottom-left bottom-right left left-mid mid mid-mid right right-mid'
    .split(' ')
    .map((name) => [name, '']),
);

export function renderMarkdown(sections: readonly Section[]): string {
  const escaped = (text: string) => text.replace(/[\\`|*_<>[\]]/g, '\\$&');
  return sections
    .map(({ title, head, rows = [], notes = [] }) =>
      [
        ...(title === '' ? [] : [`### ${title}`]),
        ...(head && rows.length > 0 ? [markdownTable([[...head], ...rows.map((row) => row.map(escaped))])] : []),
        ...notes.map(escaped),
      ].join('\n\n'),
    )
    .join('\n\n')
    .concat('\n');
}

const csvColumns = ['name', 'entries', 'share', 'cost', 'month', 'personal_data', 'example'] as const;

/** The groups of all kinds, one a line. */
export function renderCsv({ patterns, levels, sources, models }: Estimate): string {
  const kinds = { pattern: patterns, level: levels, source: sources, model: models };
  const rows = Object.entries(kinds).flatMap(([kind, items]) =>
    items.map((item) => [kind, ...csvColumns.map((name) => item[name])]),
  );
  return [['kind', ...csvColumns], ...rows].map((row) => `${row.map(csvCell).join(',')}\r\n`).join('');
}

/** A spreadsheet would execute a text that begins as a formula. */
function csvCell(value: string | number | null): string {
  if (value === null || typeof value === 'number') return String(value ?? '');
  const line = shown(value, cellCharacters);
  const text = /^\s*[=+\-@＝＋－＠]/.test(line) ? `'${line}` : line;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function patternPiiSection(patterns: readonly CostGroup[]): Section {
  return {
    title: 'Line patterns with personal data',
    head: ['entries', 'of', 'pattern'],
    rows: patterns
      .slice(0, maxRows)
      .map(({ personal_data: found, entries, name }) => [formatNumber(found), formatNumber(entries), shown(name)]),
  };
}
