import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { formatBytes, formatNumber } from '../../../shared/amounts.ts';
import type { DesignCost } from '../../client/responses.ts';
import { Amount } from '../../components/amount.tsx';
import { type BoxName, boxTitles } from './settings.ts';

interface PipelineBoxesProps {
  readonly cost: DesignCost;
  /** The parts with settings that the API refuses. */
  readonly refused: ReadonlySet<BoxName>;
  /** The part that is open at first. */
  readonly first: BoxName | null;
  /** The settings of a part. */
  readonly children: (box: BoxName) => ComponentChildren;
}

/** A pipeline as a row of boxes, of which one is open at a time. */
export function PipelineBoxes({ cost, refused, first, children }: PipelineBoxesProps) {
  const [open, setOpen] = useState(first);
  return (
    <div class="pipeline" role="group" aria-label="Pipeline">
      {boxFigures(cost).map((one) => (
        <>
          <button
            key={one.box}
            type="button"
            class="pipeline-box"
            data-box={one.box}
            aria-expanded={open === one.box}
            onClick={() => setOpen(open === one.box ? null : one.box)}
          >
            <BoxContent figures={one} isRefused={refused.has(one.box)} />
          </button>
          {open === one.box && (
            <div key={`${one.box}-panel`} class="box-panel" role="group" aria-label={`Settings: ${boxTitles[one.box]}`}>
              {children(one.box)}
            </div>
          )}
        </>
      ))}
    </div>
  );
}

interface BoxContentProps {
  readonly figures: BoxFigures;
  readonly isRefused: boolean;
}

/** Commas and spaces between the lines are for screen readers, which say them as one text. */
function BoxContent({ figures: { box, count, unit, details, cost }, isRefused }: BoxContentProps) {
  const line = (name: string, content: ComponentChildren) => (
    <span key={content} class={name}>
      <span class="visually-hidden">, </span>
      {content}
    </span>
  );
  return (
    <>
      <span class="box-title">
        {boxTitles[box]}
        <span class="visually-hidden">: </span>
      </span>
      <span>
        <strong>{formatNumber(count)}</strong> {unit}
      </span>
      {details.map((detail) => line('box-detail', detail))}
      {cost !== undefined && line('box-cost', <Amount usd={cost} />)}
      {isRefused && line('field-error', 'Not possible')}
    </>
  );
}

/** The amount that flows through a part of the pipeline. */
interface BoxFigures {
  readonly box: BoxName;
  readonly count: number;
  readonly unit: string;
  /** More figures, which are left out where they are 0. */
  readonly details: readonly string[];
  /** In USD; null without a price, undefined for a part that costs nothing. */
  readonly cost?: string | null;
}

/** The parts of a pipeline in the order in which entries pass them. */
function boxFigures({ totals, flow, cost }: DesignCost): BoxFigures[] {
  const calls = totals.inference_calls ?? flow.model_entries;
  return [
    { box: 'log', count: totals.logs, unit: 'entries', details: [formatBytes(totals.size_bytes)] },
    {
      box: 'filter',
      count: flow.messages,
      unit: 'messages',
      details: [
        flow.messages === totals.logs ? 'all entries' : `${shareOf(flow.messages, totals.logs)} of the entries`,
      ],
    },
    {
      box: 'queue',
      count: totals.queue_requests,
      unit: 'requests',
      details: [
        ...counts(flow.sends, 'sends'),
        ...counts(flow.receives, 'receives'),
        ...counts(flow.deletes, 'deletes'),
        ...counts(totals.empty_receives, 'polls without a message'),
      ],
      cost: cost.queue,
    },
    {
      box: 'function',
      count: totals.function_invocations,
      unit: 'invocations',
      details: [
        ...ratio(flow.messages, totals.function_invocations, 'messages each'),
        `${formatNumber(totals.function_gb_seconds)} GB-seconds`,
      ],
      cost: cost.function,
    },
    {
      box: 'model',
      count: calls,
      unit: 'calls',
      details: [
        ...ratio(flow.model_entries, calls, 'entries each'),
        ...counts(totals.input_tokens, 'input tokens'),
        ...counts(totals.cache_write_tokens, 'tokens written to the cache'),
        ...counts(totals.cache_read_tokens, 'tokens read from the cache'),
        ...counts(totals.output_tokens, 'output tokens'),
      ],
      cost: cost.inference,
    },
  ];
}

const counts = (count: number | undefined, unit: string): string[] =>
  count === undefined || count === 0 ? [] : [`${formatNumber(count)} ${unit}`];

/** How many share one, on average. */
const ratio = (total: number, parts: number, unit: string): string[] =>
  parts === 0 || total <= parts ? [] : [`${formatNumber((total / parts).toFixed(1))} ${unit}`];

const shareOf = (part: number, whole: number) => `${formatNumber(((part / whole) * 100).toFixed(2))} %`;
