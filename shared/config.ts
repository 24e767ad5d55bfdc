import Joi from 'joi';
import { second } from './durations.ts';
import type { Tier } from './models/api-key.model.ts';
import type { PiiType } from './pii-kinds/pii-kind.ts';
import { NATIONAL_ID_KINDS } from './pii-kinds/pii-kinds.ts';
import { allQueues, type QueueName } from './queues/index.ts';

/**
 * The environment, validated once at start. This schema is the only list of variables: README's table and
 * `.env.example` repeat it in this order, and a test compares the three.
 */
const queueNames = Object.keys(allQueues) as QueueName[];
const piiKinds = ['email', 'national_id', 'payment_card'] as const satisfies readonly PiiType[];
const piiCountries = [...new Set(NATIONAL_ID_KINDS.map(({ country }) => country))];
const notebookBackends = ['http', 'open-notebook', 'jupyter'] as const;

const commaList = (item: Joi.Schema) =>
  Joi.string().custom((value: string, helpers) => {
    const items = value
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '');
    if (items.length === 0) return helpers.message({ custom: '{{#label}} must name at least one' });
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

const perMinute = (limit: number) => Joi.number().integer().min(1).default(limit);

/** The variables that queue definitions name for their concurrency. */
function concurrencyVariables(): Record<string, Joi.Schema> {
  return Object.fromEntries(
    Object.values(allQueues).flatMap(({ concurrency }) =>
      typeof concurrency === 'number'
        ? []
        : [[concurrency.variable, Joi.number().integer().min(1).max(concurrency.max).default(concurrency.default)]],
    ),
  );
}

const schema = Joi.object({
  NODE_ENV: Joi.string().valid('development', 'test', 'production').default('development'),
  HOST: Joi.string().default('0.0.0.0'),
  PORT: Joi.number().port().default(3000),
  TRUST_PROXY: Joi.alternatives(Joi.boolean(), Joi.number().integer().min(0).max(10)).default(0).messages({
    'alternatives.match': '{{#label}} must be the number of proxies in front of the service, or true or false',
  }),
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

  TOKEN_SECRET: Joi.string().min(32).required(),
  REGISTRATION: Joi.string().valid('open', 'closed').default('open'),
  AUTH_MODE: Joi.string()
    .valid('documented', 'strict')
    .default((environment) => (environment.NODE_ENV === 'production' ? 'strict' : 'documented')),

  RATE_LIMIT_FREE: perMinute(60),
  RATE_LIMIT_PREMIUM: perMinute(600),
  RATE_LIMIT_ENTERPRISE: perMinute(6000),
  RATE_LIMIT_NOTEBOOKS: perMinute(120),
  RATE_LIMIT_INGEST: perMinute(6000),
  RATE_LIMIT_DOWNLOADS: perMinute(10),
  RATE_LIMIT_LOGIN: perMinute(10),

  PAGE_SIZE_MAX: Joi.number().integer().min(1).max(1000).default(100),
  PAGE_SIZE_DEFAULT: Joi.number()
    .integer()
    .min(1)
    .max(Joi.ref('PAGE_SIZE_MAX'))
    .messages({ 'number.max': '{{#label}} must be at most PAGE_SIZE_MAX' })
    .default((environment) => Math.min(20, environment.PAGE_SIZE_MAX)),

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
  PII_COUNTRIES: commaList(Joi.string().valid(...piiCountries)),

  WORKER_QUEUES: commaList(Joi.string().valid(...queueNames)).default(() => [...queueNames]),
  ...concurrencyVariables(),
});

/** Values that stand in documentation; they are public, so production refuses them. */
const documentedSecrets = new Set(['0'.repeat(64), 'change-me', 'change-me-'.repeat(4)]);

/** Where credentials are asked for: as the interface's reference says, or nearly everywhere. */
export type AuthMode = 'documented' | 'strict';

/** What a route's requests are counted under. */
export type LimitName = Tier | 'notebooks' | 'ingest' | 'downloads';

export interface Config {
  readonly environment: 'development' | 'test' | 'production';
  readonly host: string;
  readonly port: number;
  /** How many proxies stand in front and add to `X-Forwarded-For`; with none, the header is not looked at. */
  readonly trustedProxies: number;
  readonly logLevel: string;
  readonly shutdownGraceMs: number;
  readonly mongodbUrl: string;
  readonly redisUrl: string;
  readonly redisPrefix: string;
  /** Key of AES-256-GCM: 32 bytes. */
  readonly spoolKey: Buffer;
  readonly dashboard: { readonly user: string; readonly password: string };
  readonly auth: {
    /** Signs access and refresh tokens. */
    readonly tokenSecret: string;
    readonly registration: 'open' | 'closed';
    readonly mode: AuthMode;
  };
  /** Requests a minute. */
  readonly rateLimits: Readonly<Record<LimitName | 'login', number>>;
  readonly pageSize: { readonly default: number; readonly max: number };
  readonly ingest: {
    readonly maxBytes: number;
    readonly waitMs: number;
    readonly maxBacklog: number;
  };
  readonly flushWaitMs: number;
  readonly notebooks: {
    readonly variant: '0.1.0' | '0.2.0';
    readonly backend: (typeof notebookBackends)[number];
    readonly backendUrl: string;
    readonly backendToken?: string;
    readonly deadlineMs: number;
  };
  readonly priceFallback: 'us-east-1' | 'off';
  readonly pii: { readonly kinds: readonly PiiType[]; readonly countries?: readonly string[] };
  readonly workerQueues: readonly QueueName[];
  /** Jobs of each queue that a worker process runs concurrently. */
  readonly concurrency: Readonly<Record<QueueName, number>>;
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
    for (const name of ['SPOOL_KEY', 'DASHBOARD_PASSWORD', 'TOKEN_SECRET']) {
      if (documentedSecrets.has(value[name])) faults.push(`${name} still has the value of the example`);
    }
  }
  if (faults.length > 0) throw new ConfigError(`Configuration: ${[...new Set(faults)].join('; ')}.`);
  return Object.freeze({
    environment: value.NODE_ENV,
    host: value.HOST,
    port: value.PORT,
    trustedProxies: Number(value.TRUST_PROXY),
    logLevel: value.LOG_LEVEL,
    shutdownGraceMs: value.SHUTDOWN_GRACE_MS,
    mongodbUrl: value.MONGODB_URL,
    redisUrl: value.REDIS_URL,
    redisPrefix: value.REDIS_PREFIX,
    spoolKey: Buffer.from(value.SPOOL_KEY, 'hex'),
    dashboard: { user: value.DASHBOARD_USER, password: value.DASHBOARD_PASSWORD },
    auth: { tokenSecret: value.TOKEN_SECRET, registration: value.REGISTRATION, mode: value.AUTH_MODE },
    rateLimits: {
      free: value.RATE_LIMIT_FREE,
      premium: value.RATE_LIMIT_PREMIUM,
      enterprise: value.RATE_LIMIT_ENTERPRISE,
      notebooks: value.RATE_LIMIT_NOTEBOOKS,
      ingest: value.RATE_LIMIT_INGEST,
      downloads: value.RATE_LIMIT_DOWNLOADS,
      login: value.RATE_LIMIT_LOGIN,
    },
    pageSize: { default: value.PAGE_SIZE_DEFAULT, max: value.PAGE_SIZE_MAX },
    ingest: {
      maxBytes: value.INGEST_MAX_BYTES,
      waitMs: value.INGEST_WAIT_MS,
      maxBacklog: value.INGEST_MAX_BACKLOG,
    },
    flushWaitMs: value.FLUSH_WAIT_MS,
    notebooks: {
      variant: value.NOTEBOOK_API_VARIANT,
      backend: value.NOTEBOOK_BACKEND,
      backendUrl: value.NOTEBOOK_BACKEND_URL,
      ...(value.NOTEBOOK_BACKEND_TOKEN ? { backendToken: value.NOTEBOOK_BACKEND_TOKEN } : {}),
      deadlineMs: value.NOTEBOOK_DEADLINE_MS,
    },
    priceFallback: value.PRICE_FALLBACK,
    pii: { kinds: value.PII_KINDS, ...(value.PII_COUNTRIES ? { countries: value.PII_COUNTRIES } : {}) },
    workerQueues: value.WORKER_QUEUES,
    concurrency: concurrencyOf(value),
  });
}

function concurrencyOf(values: Record<string, number>): Config['concurrency'] {
  return Object.fromEntries(
    Object.values(allQueues).map(({ name, concurrency }) => [
      name,
      typeof concurrency === 'number' ? concurrency : values[concurrency.variable],
    ]),
  ) as Config['concurrency'];
}
