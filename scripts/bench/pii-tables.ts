import type { BenchTable } from './bench-table.ts';
import type { Difference } from './labelled-set/score.ts';
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
    ...figures.labelledSets.map(({ name, lines, scores }) => ({
      title: `Accuracy on ${lines} lines of many systems, ${name} set, by exact extent`,
      head: ['type', 'expected', 'precision', 'recall', 'F1'],
      rows: scores.map((score) => [score.type, score.expected, score.precision, score.recall, score.f1]),
    })),
    {
      title: 'Microseconds per line of the same lines',
      head: ['set', 'scanner', '@redactpii/node, e-mail, card and SSN only', 'relative time of the scanner'],
      rows: figures.labelledSets.map(({ name, scannerMicrosecondsPerLine, redactpiiMicrosecondsPerLine }) => [
        name,
        scannerMicrosecondsPerLine,
        redactpiiMicrosecondsPerLine,
        scannerMicrosecondsPerLine / redactpiiMicrosecondsPerLine,
      ]),
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

/** Every miss and false alarm in the lines of many systems. */
export function personalDataDifferences({ labelledSets }: PersonalDataBench): string[] {
  return labelledSets.flatMap(({ name, differences }) => differences.map((each) => describeDifference(name, each)));
}

function describeDifference(set: string, { line, family, type, text, expected, found }: Difference): string {
  const list = (extents: readonly string[]) => extents.map((extent) => JSON.stringify(extent)).join(', ') || 'nothing';
  return `${set} set, line ${line} (${family}), ${type}: expected ${list(expected)}, found ${list(found)}\n  ${JSON.stringify(text)}`;
}
