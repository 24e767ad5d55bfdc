// Measures the scanner and the fastest comparable library on the same lines, in the same process.
import { Redactor } from '@redactpii/node';
import { createScanner } from '../../workers/pii/scan-personal-data.ts';
import { ADVERSARIAL_SHAPES } from './adversarial-shapes.ts';
import { generateLines, LABELLED_SETS, type LabelledSet } from './labelled-set/labelled-set.ts';
import { type Difference, type KindScore, scoreFindings } from './labelled-set/score.ts';
import { generateLabelledLines, type LabelledLine } from './pii-labelled-lines.ts';
import { median } from './statistics.ts';

const LINES = 4000;
const WARM_UP_ROUNDS = 15;
const ROUNDS = 9;
const TYPES = ['email', 'national_id', 'payment_card'] as const;

interface Accuracy {
  readonly type: (typeof TYPES)[number];
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
}

interface DoublingTime {
  readonly shape: string;
  /**
   * Milliseconds for 32, 64 and 128 KiB of the shape. The time of a linear scan doubles with each
   * length.
   */
  readonly milliseconds: readonly number[];
}

/** The scanner on the lines of many systems. */
interface LabelledSetBench {
  readonly name: string;
  readonly lines: number;
  readonly scores: readonly KindScore[];
  readonly differences: readonly Difference[];
  readonly scannerMicrosecondsPerLine: number;
  /** `@redactpii/node` with the same three kinds, on the same lines. */
  readonly redactpiiMicrosecondsPerLine: number;
}

export interface PersonalDataBench {
  readonly lines: number;
  readonly averageLineLength: number;
  readonly scannerLinesPerSecond: number;
  /**
   * `@redactpii/node` with patterns for e-mail addresses, cards and SSNs only, like the scanner.
   */
  readonly redactpiiLinesPerSecond: number;
  /** `@redactpii/node` with its default patterns, which include names and phone numbers. */
  readonly redactpiiDefaultLinesPerSecond: number;
  /** Speed of the scanner relative to the library with the same patterns. */
  readonly speedRatio: number;
  /**
   * By type, over pairs of line and type, because the library does not report the positions of its
   * findings.
   */
  readonly scannerAccuracy: readonly Accuracy[];
  readonly redactpiiAccuracy: readonly Accuracy[];
  readonly doubling: readonly DoublingTime[];
  readonly labelledSets: readonly LabelledSetBench[];
}

function linesPerSecond(lines: readonly { readonly text: string }[], work: (text: string) => unknown): number {
  // Warms up the JIT compiler, because a worker scans millions of lines.
  for (let round = 0; round < WARM_UP_ROUNDS; round++) for (const { text } of lines) work(text);
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    for (const { text } of lines) work(text);
    times.push(performance.now() - start);
  }
  return Math.round((lines.length / median(times)) * 1000);
}

function accuracy(lines: readonly LabelledLine[], findTypes: (text: string) => ReadonlySet<string>): Accuracy[] {
  return TYPES.map((type) => {
    let [hits, wrong, missed] = [0, 0, 0];
    for (const { text, labels } of lines) {
      const expected = labels.some((label) => label.type === type);
      const found = findTypes(text).has(type);
      if (expected && found) hits++;
      else if (found) wrong++;
      else if (expected) missed++;
    }
    const precision = hits / Math.max(1, hits + wrong);
    const recall = hits / Math.max(1, hits + missed);
    return { type, precision, recall, f1: (2 * hits) / Math.max(1, 2 * hits + wrong + missed) };
  });
}

function benchLabelledSet(
  set: LabelledSet,
  scan: ReturnType<typeof createScanner>,
  baseline: (text: string) => unknown,
): LabelledSetBench {
  const lines = generateLines(set);
  const microsecondsPerLine = (work: (text: string) => unknown) => Math.round(1e8 / linesPerSecond(lines, work)) / 100;
  return {
    name: set.name,
    lines: lines.length,
    ...scoreFindings(lines, scan),
    scannerMicrosecondsPerLine: microsecondsPerLine(scan),
    redactpiiMicrosecondsPerLine: microsecondsPerLine(baseline),
  };
}

/** Measures speed, accuracy and linearity. Compare the figures of one run only. */
export async function benchPersonalData(): Promise<PersonalDataBench> {
  const lines = generateLabelledLines(LINES);
  const scan = createScanner();
  const samePatterns = new Redactor({ rules: { EMAIL: true, CREDIT_CARD: true, SSN: true } });
  const defaultPatterns = new Redactor();
  const marks = {
    email: 'EMAIL_ADDRESS',
    payment_card: 'CREDIT_CARD_NUMBER',
    national_id: 'US_SOCIAL_SECURITY_NUMBER',
  } as const;
  // The event loop processes other work between the parts.
  const yieldToEventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const scannerLinesPerSecond = linesPerSecond(lines, scan);
  await yieldToEventLoop();
  const redactpiiLinesPerSecond = linesPerSecond(lines, (text) => samePatterns.redact(text));
  await yieldToEventLoop();
  const redactpiiDefaultLinesPerSecond = linesPerSecond(lines, (text) => defaultPatterns.redact(text));
  await yieldToEventLoop();
  const doubling = ADVERSARIAL_SHAPES.map(({ name, make }) => ({
    shape: name,
    milliseconds: [32, 64, 128].map((kib) => {
      const text = make(kib * 1024);
      scan(text);
      const start = performance.now();
      scan(text);
      return Math.round((performance.now() - start) * 100) / 100;
    }),
  }));
  return {
    lines: lines.length,
    averageLineLength: Math.round(lines.reduce((sum, { text }) => sum + text.length, 0) / lines.length),
    scannerLinesPerSecond,
    redactpiiLinesPerSecond,
    redactpiiDefaultLinesPerSecond,
    speedRatio: Math.round((scannerLinesPerSecond / redactpiiLinesPerSecond) * 100) / 100,
    scannerAccuracy: accuracy(lines, (text) => new Set(scan(text).map((finding) => finding.type))),
    redactpiiAccuracy: accuracy(lines, (text) => {
      const redacted = samePatterns.redact(text);
      return new Set(TYPES.filter((type) => redacted.includes(marks[type])));
    }),
    doubling,
    labelledSets: LABELLED_SETS.map((set) => benchLabelledSet(set, scan, (text) => samePatterns.redact(text))),
  };
}
