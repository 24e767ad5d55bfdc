import type { BenchTable } from './bench-table.ts';
import type { PersonalDataBench } from './pii-bench.ts';

/** The figures of the personal-data part, for people. */
export function personalDataTables(figures: PersonalDataBench): BenchTable[] {
  const whole = (value: number) => Math.round(value);
  return [
    {
      title: `Personal data, ${figures.lines} labelled lines of ${whole(figures.averageLineLength)} characters`,
      head: ['', 'lines per second', 'scanner beside it'],
      rows: [
        ['scanner', whole(figures.scannerLinesPerSecond), ''],
        ['@redactpii/node, e-mail, card and SSN only', whole(figures.redactpiiLinesPerSecond), figures.speedRatio],
        [
          '@redactpii/node as it comes',
          whole(figures.redactpiiDefaultLinesPerSecond),
          figures.scannerLinesPerSecond / figures.redactpiiDefaultLinesPerSecond,
        ],
      ],
    },
    {
      title: 'Accuracy on the labelled lines',
      head: ['', 'type', 'precision', 'recall', 'F1'],
      rows: [
        ...figures.scannerAccuracy.map(({ type, precision, recall, f1 }) => ['scanner', type, precision, recall, f1]),
        ...figures.redactpiiAccuracy.map(({ type, precision, recall, f1 }) => [
          '@redactpii/node',
          type,
          precision,
          recall,
          f1,
        ]),
      ],
    },
    {
      title: 'Hostile lines: milliseconds by length, and what the last doubling cost',
      head: ['shape', '32 KiB', '64 KiB', '128 KiB', 'last ratio'],
      rows: figures.doubling.map(({ shape, milliseconds }) => {
        const [short = 0, middle = 0, long = 0] = milliseconds;
        return [shape, short, middle, long, long / middle];
      }),
    },
  ];
}
