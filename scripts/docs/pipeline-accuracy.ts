import {
  arrivalShapes,
  evenOutArrivals,
  scatterArrivals,
} from '../../test/shared/cost/pipeline/simulator/arrival-shapes.ts';
import {
  type Comparison,
  compareShapes,
  differenceOf,
  isClose,
  mappings,
  type Variant,
} from '../../test/shared/cost/pipeline/simulator/compare-usage.ts';
import type { SimulatedMapping, SimulatedUsage } from '../../test/shared/cost/pipeline/simulator/simulate-pipeline.ts';
import { tableOf, wrap } from './markdown.ts';

type Field = keyof SimulatedUsage;

const seed = 1;
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
  summary: () =>
    tableOf(
      ['', 'close', 'largest shortfall', 'largest excess'],
      (['invocations', 'calls', 'receives', 'deletes'] as const).map((field) => summaryOf(comparisons(), field)),
    ),
  invocations: () => differencesByMapping('invocations'),
  calls: () => differencesByMapping('calls'),
  receives: renderReceives,
  causes: renderCauses,
  variants: renderVariants,
};

function summaryOf(all: readonly Comparison[], field: Field): string[] {
  const sorted = all.toSorted((a, b) => differenceOf(a, field) - differenceOf(b, field));
  const close = all.filter((one) => isClose(one, field)).length;
  return [
    field === 'errorCalls' ? 'calls' : field,
    `${close} of ${all.length}`,
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
  const fixedWindows = { mappings: mappings.map((mapping) => ({ ...mapping, hasFixedWindows: true })) };
  const changes: [cause: string, Variant][] = [
    ['a full batch ends its window', fixedWindows],
    ['seconds have more or fewer entries than others', { rearrange: evenOutArrivals }],
    ['both', { ...fixedWindows, rearrange: evenOutArrivals }],
  ];
  const changed = changes.map(([cause, variant]) => ({ cause, cases: compareShapes(seed, variant) }));
  const fields = ['invocations', 'calls', 'receives', 'deletes'] as const;
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
