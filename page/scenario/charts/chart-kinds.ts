import { formatFineUsd, formatNumber } from '../../../shared/amounts.ts';
import { levelClasses } from '../../../shared/scenarios/pipeline.ts';
import type { Service } from '../../client/responses.ts';
import { levelNames, serviceNames } from '../../format/names.ts';
import type { TimeRow } from './time-rows.ts';

/** A part of each bar. */
export interface Series<Row> {
  readonly name: string;
  /** The custom property of its colour, without dashes. */
  readonly color: `series-${string}`;
  /** Null without a value, such as an amount without a price. */
  readonly valueOf: (row: Row) => number | null;
  readonly textOf: (row: Row) => string;
}

export interface ChartKind {
  readonly name: string;
  readonly unit: 'usd' | 'entries';
  readonly series: readonly Series<TimeRow>[];
  /** The sum of the parts of a bar, in words. */
  readonly totalOf: (row: TimeRow) => string;
}

const entriesOf = (count: number) => `${formatNumber(count)} ${count === 1 ? 'entry' : 'entries'}`;

/** The custom properties of the colours of the services. */
export const serviceColors = { queue: 'series-1', function: 'series-2', inference: 'series-3' } as const;

/** The style of an element in the colour of a series. */
export const colorOf = (color: `series-${string}`) => ({ '--series': `var(--${color})` });

const costOf = (service: Service): Series<TimeRow> => ({
  name: serviceNames[service],
  color: serviceColors[service],
  // Heights of bars need no exact amounts; texts have them.
  valueOf: ({ cost }) => (cost[service] === null ? null : Number(cost[service])),
  textOf: ({ cost }) => formatFineUsd(cost[service]),
});

export const chartKinds = {
  cost: {
    name: 'Cost by service',
    unit: 'usd',
    series: [costOf('queue'), costOf('function'), costOf('inference')],
    totalOf: ({ cost }) => formatFineUsd(cost.total),
  },
  levels: {
    name: 'Entries by level',
    unit: 'entries',
    series: levelClasses.map(
      (level): Series<TimeRow> => ({
        name: levelNames[level],
        color: `series-${level}`,
        valueOf: ({ levels }) => levels?.[level] ?? 0,
        textOf: ({ levels }) => formatNumber(levels?.[level] ?? 0),
      }),
    ),
    totalOf: ({ logs }) => entriesOf(logs),
  },
  pii: {
    name: 'Personal data',
    unit: 'entries',
    series: [
      {
        name: 'Without personal data',
        color: 'series-3',
        valueOf: ({ logs, pii_logs: found }) => logs - found,
        textOf: ({ logs, pii_logs: found }) => formatNumber(logs - found),
      },
      {
        name: 'With personal data',
        color: 'series-2',
        valueOf: ({ pii_logs: found }) => found,
        textOf: ({ pii_logs: found }) => formatNumber(found),
      },
    ],
    totalOf: ({ logs }) => entriesOf(logs),
  },
} as const satisfies Record<string, ChartKind>;

/** The series for the legend: of eight levels, most logs have three. */
export const namedSeries = ({ series }: ChartKind, rows: readonly TimeRow[]): readonly Series<TimeRow>[] =>
  series.length > 3 ? series.filter(({ valueOf }) => rows.some((row) => valueOf(row) !== 0)) : series;

export type ChartName = keyof typeof chartKinds;

export const chartNames = Object.keys(chartKinds) as readonly ChartName[];

export const isChartName = (name: string | null): name is ChartName => chartNames.some((known) => known === name);
