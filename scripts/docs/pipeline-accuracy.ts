import {
  arrivalShapes,
  evenOutArrivals,
  scatterArrivals,
} from '../../test/shared/cost/pipeline/simulator/arrival-shapes.ts';
import {
  type Comparison,
  compareShapes,
  countClose,
  differenceOf,
  fixedWindows,
  isClose,
  mappings,
  type Variant,
} from '../../test/shared/cost/pipeline/simulator/compare-usage.ts';
import type { SimulatedMapping, SimulatedUsage } from '../../test/shared/cost/pipeline/simulator/simulate-pipeline.ts';
import { tableOf, wrap } from './markdown.ts';

type Field = keyof SimulatedUsage;

const seed = 1;
const fields = ['invocations', 'calls', 'receives', 'deletes'] as const;
let compared: Comparison[] | undefined;
const comparisons = () => (compared ??= compareShapes(seed));

/** The sections of docs/pipeline-accuracy.md. */
export const accuracySections: Readonly<Record<string, () => string>> = {
  shapes: () =>
    arrivalShapes
      .map(({ name, hours, description }) =>
        wrap(`**${name}**: ${description}; ${hours} ${hours === 1 ? 'hour' : 'hours'}`, { first: '- ', others: '  ' }),
      )
      .join('\n'),
  close: renderClose,
  summary: () =>
    tableOf(
      ['', 'close', 'largest shortfall', 'largest excess'],
      fields.map((field) => summaryOf(comparisons(), field)),
    ),
  invocations: () => differencesByMapping('invocations'),
  calls: () => differencesByMapping('calls'),
  receives: renderReceives,
  causes: renderCauses,
  variants: renderVariants,
};

/** Close cases, by the end of a window. */
function renderClose(): string {
  const fixed = compareShapes(seed, { mappings: fixedWindows });
  const usual = (all: readonly Comparison[]) => all.filter(({ shape }) => !shape.isExtreme);
  const sets = [comparisons(), usual(comparisons()), fixed, usual(fixed)];
  return tableOf(
    [
      '',
      'a full batch ends its window, all shapes',
      'without the extreme ones',
      'windows last their time, all shapes',
      'without the extreme ones',
    ],
    fields.map((field) => [field, ...sets.map((all) => closeOf(all, field))]),
  );
}

function closeOf(all: readonly Comparison[], field: Field): string {
  return `${countClose(all, field)} of ${all.length}`;
}

function summaryOf(all: readonly Comparison[], field: Field): string[] {
  const sorted = all.toSorted((a, b) => differenceOf(a, field) - differenceOf(b, field));
  return [
    field === 'errorCalls' ? 'calls' : field,
    closeOf(all, field),
    nameOf(sorted[0], field),
    nameOf(sorted.at(-1), field),
  ];
}

function nameOf(one: Comparison | undefined, field: Field): string {
  return one === undefined || isClose(one, field)
    ? 'none'
    : `${percentOf(one, field)}: ${one.shape.name}, ${titleOf(one.mapping)}`;
}

/** One row for each shape, one column for each mapping. */
function differencesByMapping(field: Field): string {
  return tableOf(
    ['', ...mappings.map(titleOf)],
    arrivalShapes.map((shape) => [
      shape.name,
      ...comparisons()
        .filter((one) => one.shape === shape)
        .map((one) => markedPercentOf(one, field)),
    ]),
  );
}

/** All mappings have the same receives, because all batches have at least 10 messages. */
function renderReceives(): string {
  const header = ['', 'receives', 'derived', 'difference', 'empty receives', 'derived', 'difference'];
  const count = (value: number) => value.toLocaleString('en-US');
  const cells = (one: Comparison, field: Field) => [
    count(one.simulated[field]),
    count(one.derived[field]),
    markedPercentOf(one, field),
  ];
  return tableOf(
    header,
    comparisons()
      .filter(({ mapping }) => mapping === mappings[0])
      .map((one) => [one.shape.name, ...cells(one, 'receives'), ...cells(one, 'emptyReceives')]),
  );
}

/** A case is counted at the first change of the simulation that makes it close. */
function renderCauses(): string {
  const lasting = { mappings: fixedWindows };
  const changes: [cause: string, Variant][] = [
    ['a full batch ends its window', lasting],
    ['seconds have more or fewer entries than others', { rearrange: evenOutArrivals }],
    ['both', { ...lasting, rearrange: evenOutArrivals }],
  ];
  const changed = changes.map(([cause, variant]) => ({ cause, cases: compareShapes(seed, variant) }));
  const causes = fields.map((field) =>
    comparisons().flatMap((one, index) => {
      if (isClose(one, field)) return [];
      const found = changed.find(({ cases }) => isClose(cases[index] as Comparison, field));
      return [found?.cause ?? noCause];
    }),
  );
  return tableOf(
    ['', ...fields],
    [...changes.map(([cause]) => cause), noCause].map((cause) => [
      cause,
      ...causes.map((all) => String(all.filter((one) => one === cause).length)),
    ]),
  );
}

const noCause = 'neither';

/** Mappings that differ most from each other. */
const chosen = mappings.filter(({ batchSize, windowSeconds }) =>
  ['0/10', '20/10', '20/50', '300/50', '300/1000'].includes(`${windowSeconds}/${batchSize}`),
);

function renderVariants(): string {
  const withChange = (change: Partial<SimulatedMapping>) =>
    compareShapes(seed, { mappings: chosen.map((mapping) => ({ ...mapping, ...change })) });
  const same = comparisons().filter(({ mapping }) => chosen.includes(mapping));
  const fixed = withChange({ hasFixedWindows: true });
  const adjacent = withChange({ hasAdjacentWindows: true });
  const byPoller = withChange({ gathersByPoller: true });
  const scattered = compareShapes(seed, {
    mappings: chosen,
    rearrange: (arrivals) => scatterArrivals(arrivals, seed),
  });
  const rows: [title: string, Comparison[], Field][] = [
    ['as above', same, 'invocations'],
    ['as above', same, 'calls'],
    ['as above', same, 'receives'],
    ['1. windows last their time', fixed, 'invocations'],
    ['1. windows last their time', fixed, 'calls'],
    ['2. a window begins when the one before ends', adjacent, 'invocations'],
    ['3. each poller gathers for itself', byPoller, 'invocations'],
    ['4. entries arrive one by one', scattered, 'invocations'],
    ['4. entries arrive one by one', scattered, 'receives'],
    ['5. 20 entries a call', withChange({ entriesPerCall: 20 }), 'calls'],
    ['6. only errors reach the model', same, 'errorCalls'],
  ];
  return tableOf(
    ['', '', 'close', 'largest shortfall', 'largest excess'],
    rows.map(([title, all, field]) => [title, ...summaryOf(all, field)]),
  );
}

const titleOf = ({ windowSeconds, batchSize }: SimulatedMapping) =>
  `${windowSeconds} s, ${batchSize.toLocaleString('en-US')}`;

const markedPercentOf = (one: Comparison, field: Field) =>
  isClose(one, field) ? percentOf(one, field) : `**${percentOf(one, field)}**`;

function percentOf(one: Comparison, field: Field): string {
  const difference = differenceOf(one, field);
  if (difference === Infinity) return 'none simulated';
  const percent = Math.round(difference * 100);
  return `${percent > 0 ? '+' : ''}${percent === 0 ? 0 : percent} %`;
}
