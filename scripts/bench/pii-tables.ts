import type { BenchTable } from './bench-table.ts';
import type { PersonalDataBench } from './pii-bench.ts';

/** The tables of the personal data benchmark. */
export function personalDataTables(figures: PersonalDataBench): BenchTable[] {
  const whole = (value: number) => Math.round(value);
  return [
    {
      title: `Personal data, ${figures.lines} labelled lines of ${whole(figures.averageLineLength)} characters`,
      head: ['', 'lines per second', 'relative speed of the scanner'],
      rows: [
        ['scanner', whole(figures.scannerLinesPerSecond), ''],
        ['@redactpii/node, e-mail, card and SSN only', whole(figures.redactpiiLinesPerSecond), figures.speedRatio],
        [
          '@redactpii/node, default patterns',
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
      title: 'Adversarial lines: milliseconds by length, and the ratio of the last doubling',
      head: ['shape', '32 KiB', '64 KiB', '128 KiB', 'last ratio'],
      rows: figures.doubling.map(({ shape, milliseconds }) => {
        const [short = 0, middle = 0, long = 0] = milliseconds;
        return [shape, short, middle, long, long / middle];
      }),
    },
  ];
}
