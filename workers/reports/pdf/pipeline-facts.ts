import { levelClasses } from '../../../shared/scenarios/level-class.ts';
import type { CompletePipeline } from '../../../shared/scenarios/pipeline.ts';

/** The assumptions of a pipeline, by name. */
export function pipelineFacts({ queue, function: fn, inference, ...pipeline }: CompletePipeline): [string, string][] {
  return [
    ['Sent to the queue', `${entries(pipeline)}, ${queue.send_batch} per send, ${queue.pollers} pollers`],
    [
      'Invocations',
      `up to ${fn.batch_size} messages in ${fn.window_seconds} s, ${pipeline.retry_percent}% retried; ${fn.overhead_ms} ms of overhead, ` +
        `${fn.init_ms} ms of initialisation in ${fn.cold_start_percent}%`,
    ],
    [
      'Model calls',
      `${entries(inference)}, up to ${inference.entries_per_call} per call; ${inference.prompt_tokens} tokens of instruction` +
        `${inference.cache_prompt ? ', cached' : ''}; ${inference.output_tokens_per_call ?? 'no fixed number of'} output tokens per call; ` +
        `${inference.tier} tier, ${inference.profile} profile`,
    ],
  ];
}

function entries({ levels, sample_percent: percent }: Pick<CompletePipeline, 'levels' | 'sample_percent'>): string {
  const which = levels.length === levelClasses.length ? 'all levels' : levels.join(', ');
  return percent === 100 ? which : `${percent}% of ${which}`;
}
