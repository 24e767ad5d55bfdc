// How a scenario's pipeline batches, waits, polls, filters, retries and prompts. Without these
// assumptions, an entry is one message, one invocation and one model call.

// The classes into which usage is counted by level: pipelines filter by class, so that synonyms of
// a level are one.

/** Ascending by severity, then levels that are no severity, then entries without a level. */
export const levelClasses = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'other', 'none'] as const;
export type LevelClass = (typeof levelClasses)[number];

/**
 * The words of each severity in lower case; numbers are those of syslog, and of pino and bunyan.
 */
export const levelWords = {
  trace: ['trace', 'verbose', 'finest', 'finer', 'trc', '10'],
  debug: ['debug', 'fine', 'config', 'dbg', '20', '7'],
  info: ['info', 'information', 'informational', 'notice', 'log', 'inf', '30', '5', '6'],
  warn: ['warn', 'warning', 'wrn', '40', '4'],
  error: ['err', 'error', 'severe', 'eror', '50', '3'],
  fatal: ['fatal', 'crit', 'critical', 'alert', 'emerg', 'emergency', 'panic', 'ftl', 'crt', '60', '0', '1', '2'],
} as const satisfies Partial<Record<LevelClass, readonly string[]>>;

const classByWord = new Map<string, LevelClass>(
  Object.entries(levelWords).flatMap(([level, words]) => words.map((word) => [word, level as LevelClass])),
);

/** @param level as an entry has it; case is ignored. */
export function levelClassOf(level: string | null | undefined): LevelClass {
  if (level === undefined || level === null || level === '') return 'none';
  return classByWord.get(level) ?? classByWord.get(level.toLowerCase()) ?? 'other';
}

export const inferenceTiers = ['standard', 'batch'] as const;
export type InferenceTier = (typeof inferenceTiers)[number];
export const inferenceProfiles = ['regional', 'global'] as const;
export type InferenceProfile = (typeof inferenceProfiles)[number];

/** How long a cached prompt lives after its last use: five minutes, or an hour. */
export const cacheLifetimes = ['5m', '1h'] as const;
type CacheLifetime = (typeof cacheLifetimes)[number];

export type Optional<Fields> = { [Field in keyof Fields]?: Fields[Field] | undefined };

/** All assumptions about a pipeline. Percentages and counts are integers. */
export interface CompletePipeline {
  /** Only entries of these levels are sent to the queue. */
  levels: readonly LevelClass[];
  /** The share of them that is sent. */
  sample_percent: number;
  /** Invocations that run a second time. */
  retry_percent: number;
  queue: {
    /** Messages in one send action. */
    send_batch: number;
    /** Long polls of 20 s that are open while no message arrives. */
    pollers: number;
  };
  function: {
    /** Maximum number of messages of one invocation. */
    batch_size: number;
    /** How long messages are gathered for an invocation. */
    window_seconds: number;
    /** Billed time of an invocation in addition to that of its entries. */
    overhead_ms: number;
    init_ms: number;
    /** Invocations that pay `init_ms`. */
    cold_start_percent: number;
  };
  inference: {
    /** Only delivered entries of these levels reach the model. */
    levels: readonly LevelClass[];
    sample_percent: number;
    entries_per_call: number;
    /** Tokens of the instruction of each call. */
    prompt_tokens: number;
    /** Whether the instruction is cached. */
    cache_prompt: boolean;
    cache_ttl: CacheLifetime;
    /** Absent: the tokens that entries report, or the scenario assumes for each entry. */
    output_tokens_per_call?: number;
    tier: InferenceTier;
    profile: InferenceProfile;
  };
}

/** A pipeline in the form of database and API. Each assumption is optional. */
export interface Pipeline extends Optional<Omit<CompletePipeline, 'queue' | 'function' | 'inference'>> {
  queue?: Optional<CompletePipeline['queue']> | undefined;
  function?: Optional<CompletePipeline['function']> | undefined;
  inference?: Optional<CompletePipeline['inference']> | undefined;
}

const defaultPipeline: CompletePipeline = {
  levels: levelClasses,
  sample_percent: 100,
  retry_percent: 0,
  queue: { send_batch: 1, pollers: 5 },
  function: { batch_size: 1, window_seconds: 0, overhead_ms: 0, init_ms: 0, cold_start_percent: 0 },
  inference: {
    levels: levelClasses,
    sample_percent: 100,
    entries_per_call: 1,
    prompt_tokens: 0,
    cache_prompt: false,
    cache_ttl: '5m',
    tier: 'standard',
    profile: 'regional',
  },
};

/** The ranges of the assumptions that are numbers. */
export const pipelineRanges = {
  sample_percent: { min: 1, max: 100 },
  retry_percent: { min: 0, max: 100 },
  queue: { send_batch: { min: 1, max: 10 }, pollers: { min: 0, max: 1_000 } },
  function: {
    batch_size: { min: 1, max: 10_000 },
    window_seconds: { min: 0, max: 300 },
    overhead_ms: { min: 0, max: 900_000 },
    init_ms: { min: 0, max: 900_000 },
    cold_start_percent: { min: 0, max: 100 },
  },
  inference: {
    sample_percent: { min: 1, max: 100 },
    entries_per_call: { min: 1, max: 1_000 },
    prompt_tokens: { min: 0, max: 1_000_000 },
    output_tokens_per_call: { min: 0, max: 10_000_000 },
  },
} as const;

/** Applies the defaults. Ranges are not checked, because the API has validated the values. */
export function completePipeline({ queue, function: fn, inference, ...entries }: Pipeline): CompletePipeline {
  const {
    queue: queueDefaults,
    function: functionDefaults,
    inference: inferenceDefaults,
    ...defaults
  } = defaultPipeline;
  return {
    ...withDefaults(defaults, entries),
    queue: withDefaults(queueDefaults, queue),
    function: withDefaults(functionDefaults, fn),
    inference: withDefaults(inferenceDefaults, inference),
  };
}

export function withDefaults<Fields extends object>(defaults: Fields, given: Optional<Fields> = {}): Fields {
  const entries = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ...defaults, ...Object.fromEntries(entries) };
}
