import Joi from 'joi';
import { second } from './durations.ts';
import { allQueues, type QueueName } from './queues/index.ts';

/**
 * The environment, validated once at start. This schema is the only list of variables: README's table and
 * `.env.example` repeat it in this order, and a test compares the three.
 */
const queueNames = Object.keys(allQueues) as QueueName[];
const notebookBackends = ['http', 'open-notebook', 'jupyter'] as const;
const piiKinds = ['email', 'national_id', 'payment_card'] as const;

const commaList = (item: Joi.Schema) =>
  Joi.string().custom((value: string, helpers) => {
    const items = value
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '');
    for (const part of items) {
      const { error } = item.validate(part);
      if (error) return helpers.message({ custom: `{{#label}} holds ${JSON.stringify(part)}: ${error.message}` });
    }
    return items;
  });

const hex256 = Joi.string().hex().length(64).messages({
  'string.hex': '{{#label}} must be 64 hexadecimal digits (32 bytes); `openssl rand -hex 32` makes one',
  'string.length': '{{#label}} must be 64 hexadecimal digits (32 bytes); `openssl rand -hex 32` makes one',
});

const schema = Joi.object({
  NODE_ENV: Joi.string().valid('development', 'test', 'production').default('development'),
  HOST: Joi.string().default('0.0.0.0'),
  PORT: Joi.number().port().default(3000),
  LOG_LEVEL: Joi.string().valid('error', 'warn', 'info', 'debug').default('info'),
  SHUTDOWN_GRACE_MS: Joi.number()
    .integer()
    .min(0)
    .default(10 * second),

  MONGODB_URL: Joi.string()
    .uri({ scheme: ['mongodb', 'mongodb+srv'] })
    .required(),
  REDIS_URL: Joi.string()
    .uri({ scheme: ['redis', 'rediss'] })
    .required(),
  REDIS_PREFIX: Joi.string()
    .pattern(/^[\w{}-]+$/)
    .default('{meterbook}'),

  SPOOL_KEY: hex256.required(),
  DASHBOARD_USER: Joi.string().default('admin'),
  DASHBOARD_PASSWORD: Joi.string().required(),

  PAGE_SIZE_MAX: Joi.number().integer().min(1).max(1000).default(100),
  PAGE_SIZE_DEFAULT: Joi.number().integer().min(1).max(Joi.ref('PAGE_SIZE_MAX')).default(20),

  INGEST_MAX_BYTES: Joi.number()
    .integer()
    .min(1024)
    .default(5 * 1024 * 1024),
  INGEST_WAIT_MS: Joi.number()
    .integer()
    .min(0)
    .default(5 * second),
  INGEST_MAX_BACKLOG: Joi.number().integer().min(1).default(1000),
  FLUSH_WAIT_MS: Joi.number()
    .integer()
    .min(0)
    .default(30 * second),

  NOTEBOOK_API_VARIANT: Joi.string().valid('0.1.0', '0.2.0').default('0.1.0'),
  NOTEBOOK_BACKEND: Joi.string()
    .valid(...notebookBackends)
    .default('http'),
  NOTEBOOK_BACKEND_URL: Joi.string()
    .uri({ scheme: ['http', 'https'] })
    .custom((value: string, helpers) =>
      new URL(value).username === ''
        ? value
        : helpers.message({
            custom: '{{#label}} must not hold a user or password; NOTEBOOK_BACKEND_TOKEN is for that',
          }),
    )
    .required(),
  NOTEBOOK_BACKEND_TOKEN: Joi.string(),
  NOTEBOOK_DEADLINE_MS: Joi.number()
    .integer()
    .min(1 * second)
    .default(10 * second),

  PRICE_FALLBACK: Joi.string().valid('us-east-1', 'off').default('us-east-1'),
  PII_KINDS: commaList(Joi.string().valid(...piiKinds)).default(() => [...piiKinds]),
  PII_COUNTRIES: commaList(Joi.string().pattern(/^[A-Z]{2}$/, 'country code of two capital letters')),

  WORKER_QUEUES: commaList(Joi.string().valid(...queueNames)).default(() => [...queueNames]),
  INGEST_CONCURRENCY: Joi.number().integer().min(1).max(64).default(4),
  NOTEBOOK_CONCURRENCY: Joi.number().integer().min(1).max(1000).default(32),
});

/** Values that stand in documentation; they are public, so production refuses them. */
const documentedSecrets = new Set(['0'.repeat(64), 'change-me']);

export interface Config {
  readonly environment: 'development' | 'test' | 'production';
  readonly host: string;
  readonly port: number;
  readonly logLevel: string;
  readonly shutdownGraceMs: number;
  readonly mongodbUrl: string;
  readonly redisUrl: string;
  readonly redisPrefix: string;
  /** Key of AES-256-GCM: 32 bytes. */
  readonly spoolKey: Buffer;
  readonly dashboard: { readonly user: string; readonly password: string };
  readonly pageSize: { readonly default: number; readonly max: number };
  readonly ingest: {
    readonly maxBytes: number;
    readonly waitMs: number;
    readonly maxBacklog: number;
    readonly concurrency: number;
  };
  readonly flushWaitMs: number;
  readonly notebooks: {
    readonly variant: '0.1.0' | '0.2.0';
    readonly backend: (typeof notebookBackends)[number];
    readonly backendUrl: string;
    readonly backendToken?: string;
    readonly deadlineMs: number;
    readonly concurrency: number;
  };
  readonly priceFallback: 'us-east-1' | 'off';
  readonly pii: { readonly kinds: readonly (typeof piiKinds)[number][]; readonly countries?: readonly string[] };
  readonly workerQueues: readonly QueueName[];
}

/** The environment is not usable; the message is one sentence that names every variable at fault. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Names of all variables, in the order of the schema. */
export function configVariables(): string[] {
  return Object.keys(schema.describe().keys as Record<string, unknown>);
}

/**
 * Reads the configuration from an environment.
 * @throws ConfigError naming all variables at fault, and the fix of each.
 */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const { value, error } = schema.validate(given, { abortEarly: false, stripUnknown: true });
  const faults = error?.details.map((detail) => detail.message.replaceAll('"', '')) ?? [];
  if (!error && value.NODE_ENV === 'production') {
    for (const name of ['SPOOL_KEY', 'DASHBOARD_PASSWORD']) {
      if (documentedSecrets.has(value[name])) faults.push(`${name} still has the value of the example`);
    }
  }
  if (faults.length > 0) throw new ConfigError(`Configuration: ${faults.join('; ')}.`);
  return Object.freeze({
    environment: value.NODE_ENV,
    host: value.HOST,
    port: value.PORT,
    logLevel: value.LOG_LEVEL,
    shutdownGraceMs: value.SHUTDOWN_GRACE_MS,
    mongodbUrl: value.MONGODB_URL,
    redisUrl: value.REDIS_URL,
    redisPrefix: value.REDIS_PREFIX,
    spoolKey: Buffer.from(value.SPOOL_KEY, 'hex'),
    dashboard: { user: value.DASHBOARD_USER, password: value.DASHBOARD_PASSWORD },
    pageSize: { default: value.PAGE_SIZE_DEFAULT, max: value.PAGE_SIZE_MAX },
    ingest: {
      maxBytes: value.INGEST_MAX_BYTES,
      waitMs: value.INGEST_WAIT_MS,
      maxBacklog: value.INGEST_MAX_BACKLOG,
      concurrency: value.INGEST_CONCURRENCY,
    },
    flushWaitMs: value.FLUSH_WAIT_MS,
    notebooks: {
      variant: value.NOTEBOOK_API_VARIANT,
      backend: value.NOTEBOOK_BACKEND,
      backendUrl: value.NOTEBOOK_BACKEND_URL,
      ...(value.NOTEBOOK_BACKEND_TOKEN ? { backendToken: value.NOTEBOOK_BACKEND_TOKEN } : {}),
      deadlineMs: value.NOTEBOOK_DEADLINE_MS,
      concurrency: value.NOTEBOOK_CONCURRENCY,
    },
    priceFallback: value.PRICE_FALLBACK,
    pii: { kinds: value.PII_KINDS, ...(value.PII_COUNTRIES ? { countries: value.PII_COUNTRIES } : {}) },
    workerQueues: value.WORKER_QUEUES,
  });
}
