// The settings of a pipeline, by the part that they belong to, in words for people.
import type { Choice } from '../../components/form.tsx';
import type { SettingName } from './design-fields.ts';

export type BoxName = 'log' | 'filter' | 'queue' | 'function' | 'model';

export const boxTitles: Readonly<Record<BoxName, string>> = {
  log: 'Log',
  filter: 'Filter',
  queue: 'Queue',
  function: 'Function',
  model: 'Model',
};

interface Described {
  /** As the API names it. */
  readonly name: SettingName;
  readonly label: string;
  readonly hint: string;
}

export interface NumberSetting extends Described {
  readonly kind: 'number';
  readonly unit: string;
  readonly isOptional?: boolean;
}

export type Setting =
  | NumberSetting
  | (Described & { readonly kind: 'levels' | 'check' })
  | (Described & { readonly kind: 'choice'; readonly choices: readonly Choice[] });

const filter: readonly Setting[] = [
  {
    kind: 'levels',
    name: 'levels',
    label: 'Levels that are sent to the queue',
    hint: 'Entries of other levels are dropped before they cost anything.',
  },
  {
    kind: 'number',
    name: 'sample_percent',
    label: 'Sample of these entries',
    unit: '%',
    hint: 'The share of these entries that is sent. 100 sends all of them.',
  },
];

const queue: readonly Setting[] = [
  {
    kind: 'number',
    name: 'queue.send_batch',
    label: 'Messages of one send',
    unit: 'messages',
    hint: 'The sender puts up to this many messages into one request, 10 at most.',
  },
  {
    kind: 'number',
    name: 'queue.pollers',
    label: 'Pollers',
    unit: 'waiting requests',
    hint: 'So many requests wait at the queue for messages (long polls). Each one that returns nothing after 20 seconds is paid, too.',
  },
];

const fn: readonly Setting[] = [
  {
    kind: 'number',
    name: 'function.batch_size',
    label: 'Messages of one invocation',
    unit: 'messages',
    hint: 'The function starts once (an invocation) for up to this many messages.',
  },
  {
    kind: 'number',
    name: 'function.window_seconds',
    label: 'Window',
    unit: 'seconds',
    hint: 'How long messages are gathered before the function starts. More than 10 messages need at least 1 second.',
  },
  {
    kind: 'number',
    name: 'retry_percent',
    label: 'Retries',
    unit: '%',
    hint: 'The share of invocations that fail and run a second time, with their receives and model calls.',
  },
  {
    kind: 'number',
    name: 'function.overhead_ms',
    label: 'Overhead of one invocation',
    unit: 'ms',
    hint: 'Billed time of an invocation in addition to that of its entries.',
  },
  {
    kind: 'number',
    name: 'function.cold_start_percent',
    label: 'Cold starts',
    unit: '%',
    hint: 'The share of invocations that find no running function, which is then started first.',
  },
  {
    kind: 'number',
    name: 'function.init_ms',
    label: 'Initialisation',
    unit: 'ms',
    hint: 'Billed time of such a start.',
  },
];

const model: readonly Setting[] = [
  {
    kind: 'number',
    name: 'inference.entries_per_call',
    label: 'Entries of one call',
    unit: 'entries',
    hint: 'Entries that share a model call and its instruction. A call has entries of one invocation only, so give that as many messages.',
  },
  {
    kind: 'number',
    name: 'inference.prompt_tokens',
    label: 'Instruction',
    unit: 'tokens',
    hint: 'The text that tells the model what to do (the prompt). It is part of each call. A token is about four characters.',
  },
  {
    kind: 'check',
    name: 'inference.cache_prompt',
    label: 'Cache the instruction',
    hint: 'The model keeps it for a time from its last use, and reads it at a lower price.',
  },
  {
    kind: 'choice',
    name: 'inference.cache_ttl',
    label: 'Lifetime of the cache',
    choices: [
      { value: '5m', text: 'The ordinary one, of five minutes for most models' },
      { value: '1h', text: 'One hour, at a higher price of writes' },
    ],
    hint: 'Calls that are further apart find the instruction still cached.',
  },
  {
    kind: 'number',
    name: 'inference.output_tokens_per_call',
    label: 'Output of one call',
    unit: 'tokens',
    isOptional: true,
    hint: 'Empty: the tokens that entries report, or that the scenario assumes for an entry.',
  },
  {
    kind: 'choice',
    name: 'inference.tier',
    label: 'Calls',
    choices: [
      { value: 'standard', text: 'At once' },
      { value: 'batch', text: 'As batch jobs, at batch prices' },
    ],
    hint: 'A batch job costs less, and its results come hours later.',
  },
  {
    kind: 'choice',
    name: 'inference.profile',
    label: 'Prices',
    choices: [
      { value: 'regional', text: 'Of the region' },
      { value: 'global', text: 'Of the global profile' },
    ],
    hint: 'The provider processes calls of the global profile in any region, at other prices.',
  },
  {
    kind: 'levels',
    name: 'inference.levels',
    label: 'Levels that go to the model',
    hint: 'Entries of other levels pass the queue and the function, without a model call.',
  },
  {
    kind: 'number',
    name: 'inference.sample_percent',
    label: 'Sample of these entries',
    unit: '%',
    hint: 'The share of these entries that reaches the model.',
  },
];

/** The log has no settings: its period is chosen. */
export const settings: Readonly<Record<BoxName, readonly Setting[]>> = { log: [], filter, queue, function: fn, model };
