import { formatBytes, formatNumber } from '../../../shared/amounts.ts';
import type { DesignCost } from '../../client/responses.ts';
import type { BoxName } from './settings.ts';

/** The amount that flows through a part of the pipeline. */
export interface BoxFigures {
  readonly box: BoxName;
  readonly count: number;
  readonly unit: string;
  /** More figures, which are left out where they are 0. */
  readonly details: readonly string[];
  /** In USD; null without a price, undefined for a part that costs nothing. */
  readonly cost?: string | null;
}

/** The parts of a pipeline in the order in which entries pass them. */
export function boxFigures({ totals, flow, cost }: DesignCost): BoxFigures[] {
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
